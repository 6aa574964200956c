"""Experiments: reading files, trials, continuing, intervals, shares of variation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wavescope.cli import main
from wavescope.errors.simulation import InvalidExperiment
from wavescope_lab.errors import OtherTrials
from wavescope_lab.simulator.experiments.analysis import effects, estimate
from wavescope_lab.simulator.experiments.experiment import Experiment, load_experiment, parse_experiment
from wavescope_lab.simulator.experiments.results import results
from wavescope_lab.simulator.experiments.trials import run_trials

EXPERIMENTS = Path(__file__).parents[3] / "shared" / "experiments"
QUEUE: dict[str, Any] = {
    "title": "a queue",
    "model": "queue",
    "trials": 3,
    "parameters": {"arrivals": {"mean": 1.0}, "service": {"mean": 0.5}, "customers": 50},
    "factors": {"servers": [1, 2]},
}


def run(experiment: Experiment, state: Path | None = None, workers: int = 1) -> tuple[str, list[tuple[int, int]]]:
    """The result as JSON, and the progress that was shown."""
    shown: list[tuple[int, int]] = []
    figures = run_trials(experiment, lambda *each: shown.append(each), state, workers)
    return json.dumps(results(experiment, figures)), shown


@pytest.mark.parametrize("path", sorted(EXPERIMENTS.glob("*.toml")), ids=lambda path: path.stem)
def test_every_experiment_of_the_repository_can_be_read_si2(path: Path) -> None:
    assert load_experiment(path).runs


def test_the_same_seed_gives_the_same_bytes_si1() -> None:
    assert run(parse_experiment(QUEUE, {}))[0] == run(parse_experiment(QUEUE, {}))[0]
    assert run(parse_experiment(QUEUE, {}))[0] != run(parse_experiment({**QUEUE, "seed": 7}, {}))[0]


def test_other_processes_give_the_same_bytes_si1() -> None:
    assert run(parse_experiment(QUEUE, {}), workers=2)[0] == run(parse_experiment(QUEUE, {}))[0]


def test_finished_trials_are_not_run_again_si7(tmp_path: Path) -> None:
    state = tmp_path / "trials"
    experiment = parse_experiment(QUEUE, {})
    whole, shown = run(experiment, state)
    assert shown == [(n, 6) for n in range(7)]
    again, shown = run(experiment, state)
    assert (again, shown) == (whole, [(6, 6)])
    lines = state.read_text().splitlines(keepends=True)
    state.write_text("".join(lines[:3]) + lines[3][:10])  # interrupted while it wrote the third trial
    again, shown = run(experiment, state)
    assert again == whole
    assert shown[0] == (2, 6)
    assert sorted(state.read_text().splitlines()) == sorted("".join(lines).splitlines())


def test_more_trials_continue_from_fewer_si7(tmp_path: Path) -> None:
    experiment = parse_experiment(QUEUE, {})
    run(experiment.with_trials(2), tmp_path / "trials")
    assert run(experiment, tmp_path / "trials") == (run(experiment)[0], [(4, 6), (5, 6), (6, 6)])


def test_the_trials_of_another_experiment_are_refused_si7(tmp_path: Path) -> None:
    run(parse_experiment(QUEUE, {}), tmp_path / "trials")
    with pytest.raises(OtherTrials):
        run(parse_experiment({**QUEUE, "seed": 7}, {}), tmp_path / "trials")
    (tmp_path / "damaged").write_text((tmp_path / "trials").read_text().replace("[0, 0,", "[0, x,"))
    with pytest.raises(OtherTrials):
        run(parse_experiment(QUEUE, {}), tmp_path / "damaged")


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"model": "no model"}, "model"),
        ({"trials": 0}, "trials"),
        ({"trials": True}, "trials"),
        ({"trails": 3}, "trails"),
        ({"confidence": float("nan")}, "confidence"),
        ({"parameters": {**QUEUE["parameters"], "custmers": 3}}, "parameters.custmers"),
        ({"parameters": {**QUEUE["parameters"], "customers": 10**9}}, "parameters.customers"),
        ({"parameters": {**QUEUE["parameters"], "service": -1}}, "parameters.service"),
        ({"parameters": {**QUEUE["parameters"], "service": {"mean": 1, "shares": [1]}}}, "parameters.service"),
        ({"parameters": {**QUEUE["parameters"], "service": {"values": [1], "shares": [0]}}}, "parameters.service"),
        ({"parameters": {**QUEUE["parameters"], "service": {"bins": [[2, 1]]}}}, "parameters.service"),
        ({"factors": {"servers": []}}, "factors.servers"),
        ({"factors": {"servers": [1, 1]}}, "factors.servers"),
        ({"factors": {"servers": list(range(1, 150)), "customers": list(range(10, 200))}}, "factors.customers"),
        ({"factors": {"servers": [0, 1]}}, "parameters.servers"),
        ({"factorial": True, "factors": {"servers": [1, 2, 3]}}, "factorial"),
        ({"expected": [{"servers": 3, "response": 1}]}, "expected[0].servers"),
        ({"expected": [{"servers": 1, "response": [1, 2, 3]}]}, "expected[0].response"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_value_is_refused_with_its_place_si2(changed: dict[str, Any], place: str) -> None:
    with pytest.raises(InvalidExperiment) as error:
        parse_experiment({**QUEUE, **changed}, {})
    assert error.value.place == place


def test_a_file_that_is_no_toml_or_leaves_its_folder_is_refused_si2(tmp_path: Path) -> None:
    for text in ("title = ", "\xff", f'title = "x"\ntimes = "{EXPERIMENTS}/times/report-1998.toml"', 'times = "../x"'):
        (tmp_path / "x.toml").write_text(text, encoding="latin-1")
        with pytest.raises(InvalidExperiment):
            load_experiment(tmp_path / "x.toml")


def test_intervals_are_those_of_student_si5() -> None:
    found = estimate([1.0, 2.0, 3.0, 4.0], 0.95)
    assert found.mean == 2.5
    assert found.half == pytest.approx(3.182446 * 1.290994 / 2, rel=1e-6)
    assert estimate([5.0], 0.95).half is None


def test_an_interval_covers_the_mean_as_often_as_it_says_si5() -> None:
    experiment = parse_experiment({**QUEUE, "trials": 400, "factors": {}}, {})
    responses = [trial["response"] for trial in run_trials(experiment, lambda *_: None)[0]]
    mean = sum(responses) / len(responses)
    found = [estimate(responses[n : n + 8], 0.9) for n in range(0, 400, 8)]
    assert 0.78 <= sum(abs(each.mean - mean) <= (each.half or 0) for each in found) / len(found) <= 0.99


def test_effects_are_those_of_the_published_table_si6() -> None:
    """Table 7 gives table 8 (1998)."""
    found = effects(["A", "B"], {(-1, -1): 11.28, (1, -1): 29.29, (-1, 1): 249.92, (1, 1): 683.71})
    assert [round(each.coefficient, 2) for each in found] == [243.55, 112.95, 223.27, 103.95]
    assert [round(100 * each.share, 2) for each in found] == [0, 17.38, 67.9, 14.72]


def test_effects_of_three_factors_explain_everything_si6() -> None:
    means: dict[tuple[int, ...], float] = {
        (a, b, c): 10 + 2 * a - b * c for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)
    }
    found = {each.factors: each for each in effects("abc", means)}
    assert (found[()].coefficient, found[("a",)].coefficient, found[("b", "c")].coefficient) == (10, 2, -1)
    assert (found[("a",)].share, found[("b", "c")].share) == (0.8, 0.2)


@pytest.mark.slow
def test_the_command_writes_json_and_a_plot_si1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = EXPERIMENTS / "report-1998-table-7.toml"
    for name in ("a.svg", "b.svg"):
        assert main(["simulate", str(file), "--trials", "1", "--quiet", "--json", "--plot", str(tmp_path / name)]) == 0
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first == second
    assert len(first["runs"]) == 4
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.slow
def test_the_command_prints_published_figures_and_shares(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", str(EXPERIMENTS / "report-1998-table-7.toml"), "--trials", "2", "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("(published 11.28 ± 3.57, within)" in line for line in lines)
    assert any(line.startswith("response: variation explained by hit_rate") for line in lines)


@pytest.mark.parametrize("wrong", [["--trials", "0"], ["--workers", "0"], ["--plot", "x.exe"]])
def test_the_command_refuses_wrong_parameters(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", str(EXPERIMENTS / "report-1998-table-7.toml"), *wrong]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_component_times_that_a_model_does_not_have_are_left_out_si13() -> None:
    times = {"service": 0.5, "node_get": 0.001, "machine": {"processors": 2}}
    own = {"arrivals": {"mean": 1.0}, "customers": 50}
    experiment = parse_experiment({"title": "x", "model": "queue", "parameters": own}, times)
    assert experiment.runs[0].parameters == {**own, "service": 0.5}
    with pytest.raises(InvalidExperiment):
        parse_experiment({"title": "x", "model": "queue", "parameters": {**own, "node_get": 1}}, times)
