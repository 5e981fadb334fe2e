"""`python -m audit`, the same as `audit`."""

from __future__ import annotations

import sys

from audit.frontends.cli.main import main

sys.exit(main())
