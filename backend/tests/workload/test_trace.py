"""Traces: the same plan gives the same bytes; users sweep and are drawn to the same points; wrong lines are named."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from wavescope.errors import InvalidParameter
from wavescope.geometry import Pyramid
from wavescope_lab.errors import InvalidTrace
from wavescope_lab.workload.markov import Reading
from wavescope_lab.workload.sweep import MARGIN, Pattern, Sweep, advance, aim, interesting_points
from wavescope_lab.workload.trace import Plan, Request, make_trace, read_trace, write_trace

PLAN = Plan("slide", (17408, 14336))


def test_a_trace_depends_on_its_plan_alone() -> None:
    assert write_trace(make_trace(PLAN)) == write_trace(make_trace(PLAN))
    assert make_trace(PLAN) != make_trace(replace(PLAN, seed=2))


def test_more_clients_leave_the_requests_of_the_first_ones_as_they_are() -> None:
    two = make_trace(replace(PLAN, clients=2))
    assert make_trace(PLAN)[: len(two)] == two


def test_a_trace_is_read_as_it_was_written() -> None:
    trace = make_trace(PLAN)
    assert read_trace(write_trace(trace)) == trace


@pytest.mark.parametrize("reading", list(Reading))
@pytest.mark.parametrize("size", [(17408, 14336), (700, 300), (256, 256)])
def test_every_field_lies_inside_its_level(size: tuple[int, int], reading: Reading) -> None:
    pyramid = Pyramid(*size)
    for request in make_trace(replace(PLAN, size=size, reading=reading, requests=50)):
        field = request.field
        ln_width, ln_height = pyramid.level_size(field.level)
        assert field.ln_x >= 0
        assert field.ln_y >= 0
        assert min(field.ln_width, field.ln_height) >= 1
        assert field.ln_x + field.ln_width <= ln_width
        assert field.ln_y + field.ln_height <= ln_height


def test_a_fine_move_is_a_tenth_of_a_view() -> None:
    fine = [r.field for r in make_trace(replace(PLAN, requests=100)) if not r.full]
    assert fine
    assert {field.ln_width * field.ln_height for field in fine} == {100_000}


def test_clients_of_one_pattern_request_overlapping_fields_but_not_the_same() -> None:
    trace = make_trace(replace(PLAN, patterns=(Pattern.ROWS,), requests=60, clients=2))
    first, second = ([r.field for r in trace if r.client == client] for client in (0, 1))
    assert len(set(first) & set(second)) < 3  # by chance, where a level is hardly larger than a view
    near = [
        (a, b)
        for a in first
        for b in second
        if a.level == b.level and abs(a.ln_x - b.ln_x) < a.ln_width and abs(a.ln_y - b.ln_y) < a.ln_height
    ]
    assert len(near) > 20


def test_users_are_drawn_to_the_interesting_points() -> None:
    points = interesting_points(PLAN.seed)
    full = [r.field for r in make_trace(replace(PLAN, requests=200)) if r.full and r.field.level == 0]
    drawn = [field for field in full if any(_shows(field, (u * 17408, v * 14336)) for u, v in points)]
    covered = len(points) * 1000 * 1000 / (17408 * 14336)
    assert len(drawn) / len(full) > 5 * covered


def _shows(field: object, l0_place: tuple[float, float]) -> bool:
    left, top = field.ln_x, field.ln_y  # type: ignore[attr-defined]
    return left <= l0_place[0] < left + 1000 and top <= l0_place[1] < top + 1000


@pytest.mark.parametrize("pattern", list(Pattern))
def test_a_sweep_covers_the_slide_and_begins_again(pattern: Pattern) -> None:
    sweep, places = Sweep(pattern), []
    for _ in range(400):
        sweep = advance(sweep, (0.1, 0.1))
        places.append(sweep.position)
    for axis in (0, 1):
        assert min(place[axis] for place in places) <= MARGIN + 0.1
        assert max(place[axis] for place in places) >= 1 - MARGIN - 0.1
    assert places.count(Sweep(pattern).position) > 1


def test_rows_go_sideways_first_and_columns_go_down_first() -> None:
    assert advance(Sweep(Pattern.ROWS), (0.1, 0.2)).position == (MARGIN + 0.1, MARGIN)
    assert advance(Sweep(Pattern.COLUMNS), (0.1, 0.2)).position == (MARGIN, MARGIN + 0.2)


def test_the_nearest_point_in_view_is_the_aim() -> None:
    points = ((MARGIN + 0.04, MARGIN), (MARGIN + 0.01, MARGIN), (0.9, 0.9))
    assert aim(Sweep(Pattern.ROWS), points, (0.1, 0.1))[0] == points[1]


def test_a_plan_that_asks_for_too_much_is_refused() -> None:
    for wrong in ({"clients": 0}, {"clients": 65}, {"requests": 0}, {"size": (0, 1)}, {"view": (10, 0)}):
        with pytest.raises(InvalidParameter):
            make_trace(replace(PLAN, **wrong))


def _line(**changed: object) -> str:
    record = json.loads(write_trace(make_trace(replace(PLAN, clients=1, requests=1))))
    return json.dumps({**record, **changed})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("nonsense", "not JSON"),
        ("[]", "not an object"),
        (_line(level=-1), "level is -1"),
        (_line(x=1.5), "x is 1.5"),
        (_line(client=True), "client is True"),
        (_line(think="1"), "think is '1'"),
        (_line(time=-1), "time is -1"),
        (_line(slide=None), "slide is None"),
    ],
)
def test_a_wrong_line_is_named_with_its_number(line: str, reason: str) -> None:
    with pytest.raises(InvalidTrace, match="line 2 of the trace: ") as error:
        read_trace(f"{_line()}\n{line}\n")
    assert reason in str(error.value)


def test_an_empty_trace_is_refused() -> None:
    with pytest.raises(InvalidTrace, match="no request"):
        read_trace("\n")


def test_all_clients_start_at_the_same_time() -> None:
    first: list[Request] = [request for request in make_trace(PLAN) if request.number == 0]
    assert [request.time for request in first] == [0.0] * 8
