"""A PostgreSQL server as a process, for the browser tests: ``python -m catalog.stoppable`` (in ``backend/tests``).

It prints the URL of an empty database, then a line for each command that it has executed: ``stop`` and ``start``, one a
line of its input. It ends with its input, and at once where PostgreSQL is not installed.
"""

from __future__ import annotations

import sys

from catalog.databases import PROGRAMS, new_database, postgresql_server


def main() -> None:
    with postgresql_server() as server:
        print(new_database(server.url, "stoppable"), flush=True)
        running = True
        for line in sys.stdin:
            running = line.strip() == "start"
            if running:
                server.start()
            else:
                server.stop("immediate")
            print(line.strip(), flush=True)
        if not running:
            server.start()  # which its context ends


if __name__ == "__main__" and PROGRAMS:
    main()
