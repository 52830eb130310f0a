"""What a group holds in common, for games that have such a thing: one file for each. It knows neither its game nor another."""
