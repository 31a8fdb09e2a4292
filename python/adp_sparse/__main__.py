"""``python -m adp_sparse run …`` is ``adp-sparse run …``."""

from ._program import main

main()
