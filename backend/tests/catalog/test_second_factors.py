"""Second factors in a catalog of two processes, and the command that resets them (AC54, AC58)."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.accounts import QUICK
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.second_factors import SecondFactors
from wavescope.catalog.catalog import Catalog
from wavescope.cli import main


def test_only_one_of_two_processes_uses_a_step_ac54(tmp_path: Path) -> None:
    one, other = Catalog.open(tmp_path / "store"), Catalog.open(tmp_path / "store")
    user = Accounts(one).add("vera", "", "viewer", QUICK)
    SecondFactors(one).begin(user.id, "sealed")
    assert not SecondFactors(other).confirm(user.id, "begun before", 7, [])
    assert SecondFactors(other).confirm(user.id, "sealed", 7, ["a", "b"])
    used = [SecondFactors(catalog).use_step(user.id, "sealed", step) for step in (7, 8, 6) for catalog in (one, other)]
    assert used == [False, False, True, False, False, False]
    recovered = [SecondFactors(catalog).use_recovery(user.id, "a") for catalog in (one, other)]
    assert recovered == [True, False]
    one.close()
    other.close()


def test_the_command_resets_it_ac58(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    catalog = Catalog.open(tmp_path / "store")
    user = Accounts(catalog).add("vera", "", "viewer", QUICK)
    SecondFactors(catalog).begin(user.id, "sealed")
    SecondFactors(catalog).confirm(user.id, "sealed", 1, ["hash"])
    assert Accounts(catalog).get(user.id).second_factor
    catalog.close()
    command = ("user", "reset-second-factor", "vera", "--store", str(tmp_path / "store"))
    assert main(command) == 0
    assert main(command) == 0
    assert capsys.readouterr().out == "vera: the second factor was removed\nvera: there was no second factor\n"
    catalog = Catalog.open(tmp_path / "store")
    assert SecondFactors(catalog).get(user.id) is None
    catalog.close()
