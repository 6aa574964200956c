"""The parameters of ``wavescope simulate``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add_simulate(commands: Any, json: argparse.ArgumentParser) -> None:
    """Add the command to the commands of the program."""
    text = "simulate an experiment: seeded trials of a model, with confidence intervals"
    parser = commands.add_parser("simulate", help=text, description=text, parents=[json])
    parser.set_defaults(package="wavescope_lab.cli", run="simulate.run:simulate", takes_store=False)
    parser.add_argument("file", metavar="FILE", type=Path, help="the experiment, in TOML")
    parser.add_argument("--trials", type=int, metavar="N", help="of each run (default: those of FILE)")
    parser.add_argument("--plot", type=Path, metavar="OUT", help="write a picture of all metrics: .svg, .png or .pdf")
    parser.add_argument(
        "--resume", type=Path, metavar="TRIALS", help="store finished trials in this file, and continue from it"
    )
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default: 1)")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
