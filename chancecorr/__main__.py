"""``python -m chancecorr``: the command line."""

import sys

from chancecorr.cli.run import run

if __name__ == "__main__":
    sys.exit(run())
