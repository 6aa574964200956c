"""One user: a pure step from state to state, each of which is a request for a rectangle of a level."""

from __future__ import annotations

import random
from dataclasses import dataclass

from wavescope.geometry import Pyramid
from wavescope_lab.workload import markov, sweep
from wavescope_lab.workload.markov import Reading
from wavescope_lab.workload.sweep import MARGIN, Pattern, Position, Sweep

LONGEST_PAN = 1000
"""Steps without a request, at most."""
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))


@dataclass(frozen=True)
class Field:
    """A rectangle in the pixels of its level."""

    level: int
    ln_x: int
    ln_y: int
    ln_width: int
    ln_height: int


@dataclass(frozen=True)
class Scene:
    """What all users of a trace have in common. ``view``: width and height of a full view in pixels."""

    pyramid: Pyramid
    view: tuple[int, int]
    points: tuple[Position, ...]
    reading: Reading

    def view_at(self, level: int, centre: Position) -> Field:
        """The full view of a level around a position, moved into the slide."""
        ln_width, ln_height = self.pyramid.level_size(level)
        width, height = min(self.view[0], ln_width), min(self.view[1], ln_height)
        x = min(max(0, round(centre[0] * ln_width - width / 2)), ln_width - width)
        y = min(max(0, round(centre[1] * ln_height - height / 2)), ln_height - height)
        return Field(level, x, y, width, height)

    def step(self, level: int) -> Position:
        """Width and height of a view of this level in parts of the slide."""
        ln_width, ln_height = self.pyramid.level_size(level)
        return min(1.0, self.view[0] / ln_width), min(1.0, self.view[1] / ln_height)


@dataclass(frozen=True)
class User:
    """Where a user is: state of the matrix, sweep, centre of the last view."""

    sweep: Sweep
    state: int = markov.FIRST_STATE
    centre: Position = (MARGIN, MARGIN)


@dataclass(frozen=True)
class Move:
    """One request: seconds of thought before it, the rectangle, and whether it is a full view."""

    think: float
    field: Field
    full: bool


def new_user(pattern: Pattern) -> User:
    """A user at the beginning of a sweep."""
    return User(Sweep(pattern))


def next_move(user: User, scene: Scene, dice: random.Random) -> tuple[User, Move]:
    """The next request, and the user after it."""
    think = markov.think_seconds(user.state, dice)
    state = markov.next_state(user.state, dice)
    level = scene.reading.level(state, scene.pyramid.top)
    if markov.is_full_view(state, dice):
        moved, centre = _pan(user.sweep, scene, scene.step(level), dice)
        return User(moved, state, centre), Move(think, scene.view_at(level, centre), full=True)
    centre, field = _fine_move(user.centre, scene, level, dice)
    return User(user.sweep, state, centre), Move(think, field, full=False)


def _pan(start: Sweep, scene: Scene, step: Position, dice: random.Random) -> tuple[Sweep, Position]:
    """The sweep moved on to the next view that is requested, and the centre of this view."""
    moved = start
    target = moved.position
    for _ in range(LONGEST_PAN):
        moved = sweep.advance(moved, step)
        target, probability = sweep.aim(moved, scene.points, step)
        if dice.random() < probability:
            break
    return moved, sweep.noisy(target, step, dice)


def _fine_move(centre: Position, scene: Scene, level: int, dice: random.Random) -> tuple[Position, Field]:
    """The centre after a fine move, and the strip of the new view that the move brings into sight."""
    dx, dy = dice.choice(SIDES)
    step = scene.step(level)
    moved = tuple(
        min(max(value + side * size * markov.FINE_PART, 0.0), 1.0)
        for value, side, size in zip(centre, (dx, dy), step, strict=True)
    )
    view = scene.view_at(level, (moved[0], moved[1]))
    width = view.ln_width if dx == 0 else max(1, round(view.ln_width * markov.FINE_PART))
    height = view.ln_height if dy == 0 else max(1, round(view.ln_height * markov.FINE_PART))
    x = view.ln_x + (view.ln_width - width if dx > 0 else 0)
    y = view.ln_y + (view.ln_height - height if dy > 0 else 0)
    return (moved[0], moved[1]), Field(level, x, y, width, height)
