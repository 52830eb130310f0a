"""The commands of the command line, one file each. They put rooms together and print; rules may not be here."""
