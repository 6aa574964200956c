"""``python -m wavescope.cli``"""

import sys

from wavescope.cli.app import main

sys.exit(main())
