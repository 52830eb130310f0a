"""How fast the bridge is, as ratios: the product beside something it can be held to, measured in the same run.

Machines are noisy and differ, so no number here stands alone. Two sides (say the product and a floor) are started
together and then take turns, A B A B, for at least five rounds; what is told is the median of each side, their ratio,
and how far the ratios of single rounds lay apart.

=========== =========================================================================== ==================== ==========
name        measured                                                                    against              goal
=========== =========================================================================== ==================== ==========
``roll``    one person's click until its ``ack`` is read, one after the other, at one   the floor            p50 <= 1.3
            table with five connections; the commit is on disk and was told to all five
``tables``  rolls a second, 100 tables with five connections that all click at once,    the floor            >= 0.7
            every roll on disk and told to its five
``full``    ``roll`` at a table with 2,000 actors and 20,000 commits                    ``roll`` at an empty p50 <= 1.2
                                                                                        table
``replay``  a log of 100,000 commits folded, in events a second                         its bytes decoded    >= 0.25
                                                                                        with msgspec
``open``    from the hello of the first who comes, after a start, to his welcome, at a  the same at a table  time and
            table with 100,000 commits; and the memory of the process then              with 1,000           memory
                                                                                                             <= 1.2
``resume``  from the hello of somebody who missed 500 of 100,000 commits until he has   500 of 1,000         time <= 1.2
            heard of all of them
=========== =========================================================================== ==================== ==========

*Processes.* Each side is a server and a load generator, two processes, both on uvloop where it is installed. The load
generator (``load.py``) is the same code for both sides: websocket frames written and read as bytes, nothing decoded,
an answer found by the id in it. It also checks that each roll was told to everybody. Rate limits are lifted.

*The past* (``folding.py``, ``coming.py``). ``replay`` counts what is computed in one process. For ``open`` and ``resume`` a
server is started anew for each time that is measured, with its client in the same process.

*The product* (``product.py``) is the server as it is served, with its real store. A roll is a Sage d20 attribute roll
with two claimed sources and a standing grant, sent by people with their own tokens.

*The floor* (``floor.py``) is the least that could do the same outward job: the same websocket library, settings and
event loop; the id is read from the message; one row of the same size, in the same table of the same SQLite settings
through the same writing thread and group commit; a frame of the same size told to the five; an ``ack``. It knows no
rules, rolls no dice, hashes nothing, admits everybody and keeps no state. Sizes are taken from the product in the
same run.
"""
