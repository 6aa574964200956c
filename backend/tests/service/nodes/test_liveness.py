"""When a node counts as dead (CL4, CL5)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wavescope.service.nodes.liveness import BLIND_SECONDS, CLOSED_SECONDS, SILENT_SECONDS, Liveness, Sign


def sign(seen: float, now: float, *, connected: bool = True) -> Sign:
    return Sign("a", seen, now - seen, connected)


def look_until(liveness: Liveness, times: list[float], seen: float, *, connected: bool = True) -> float | None:
    """When the node was found dead."""
    return next((now for now in times if liveness.look(now, [sign(seen, now, connected=connected)])), None)


def test_a_node_that_is_silent_for_two_and_a_half_seconds_is_dead_cl4() -> None:
    liveness = Liveness()
    liveness.look(10.0, [sign(9.5, 10.0)])
    liveness.look(10.2, [sign(10.1, 10.2)])
    found = look_until(liveness, [10.2 + step / 10 for step in range(1, 40)], 10.1)
    assert found is not None
    assert SILENT_SECONDS - 0.001 <= found - 10.1 <= SILENT_SECONDS + 0.1


def test_a_node_whose_connection_to_the_database_is_closed_is_dead_sooner_cl4() -> None:
    liveness = Liveness()
    liveness.look(10.0, [sign(9.5, 10.0)])
    liveness.look(10.2, [sign(10.1, 10.2)])
    found = look_until(liveness, [10.2 + step / 10 for step in range(1, 40)], 10.1, connected=False)
    assert found is not None
    assert CLOSED_SECONDS - 0.001 <= found - 10.1 <= CLOSED_SECONDS + 0.1


def test_a_node_that_beats_again_is_alive_again_cl4() -> None:
    liveness = Liveness()
    times = [10.0 + step / 2 for step in range(8)]
    assert look_until(liveness, times, 9.9) is not None
    assert liveness.look(14.0, [sign(13.9, 14.0)]) == frozenset()


def test_after_an_outage_of_the_database_everyone_has_the_whole_time_again_cl5() -> None:
    liveness = Liveness()
    for now in (10.0, 10.5, 11.0):
        assert not liveness.look(now, [sign(now, now)])
    back = 11.0 + BLIND_SECONDS + 8.5
    assert not liveness.look(back, [sign(11.0, back)])
    assert not liveness.look(back + 1.0, [sign(11.0, back + 1.0)])
    assert liveness.next_look(back + 1.0) <= SILENT_SECONDS
    assert look_until(liveness, [back + 1.5, back + 2.0, back + 2.5], 11.0) == back + SILENT_SECONDS


def test_after_an_outage_a_closed_connection_is_no_sign_of_death_until_it_was_open_again_cl5() -> None:
    liveness = Liveness()
    for now in (10.0, 10.5, 11.0):
        assert not liveness.look(now, [sign(now, now)])
    back = 11.0 + BLIND_SECONDS + 2.0
    found = look_until(liveness, [back + step / 10 for step in range(40)], 11.0, connected=False)
    assert found is not None
    assert found - back >= SILENT_SECONDS - 0.001
    liveness.look(back + 5.0, [sign(back + 4.9, back + 5.0)])
    assert liveness.look(back + 6.3, [sign(back + 4.9, back + 6.3, connected=False)]) == {"a"}


def test_an_outage_that_was_too_short_to_be_noticed_by_time_counts_as_well_cl5() -> None:
    liveness = Liveness()
    liveness.look(10.0, [sign(9.6, 10.0)])
    liveness.blinded()  # its own connection broke
    found = look_until(liveness, [11.2 + step / 2 for step in range(8)], 9.6, connected=False)
    assert found == 11.2 + SILENT_SECONDS


def test_a_node_that_has_left_is_forgotten_cl3() -> None:
    liveness = Liveness()
    liveness.look(10.0, [sign(9.5, 10.0)])
    assert liveness.look(10.5, []) == frozenset()
    assert liveness.next_look(10.5) > 0


@given(st.lists(st.floats(0.01, 5.0), min_size=1, max_size=60), st.lists(st.booleans(), min_size=60, max_size=60))
def test_no_node_is_dead_that_gave_a_sign_of_life_in_the_time_cl4(gaps: list[float], beats: list[bool]) -> None:
    liveness, now, seen = Liveness(), 100.0, 100.0
    for gap, beat in zip(gaps, beats, strict=False):
        now += gap
        seen = now if beat else seen
        if liveness.look(now, [sign(seen, now)]):
            assert now - seen >= SILENT_SECONDS - 1e-6
