import { expect, it, vi } from "vitest";
import type { View } from "@wavescope/viewer/view/view";

vi.mock("openseadragon", () => ({ default: {} }));
const {
  EMPTY_TOUR,
  markAt,
  markBetween,
  withEnd,
  withMoved,
  withRestored,
  withShift,
  withView,
  withWaypoint,
  withoutWaypoint,
} = await import("./editing");

const view: View = {
  l0_x: 1,
  l0_y: 2,
  l0_width: 30,
  l0_height: 20,
  rotation: 0,
  flip: false,
  plane: 0,
  adjustments: null,
};
const three = [1, 2, 3].reduce((tour) => withView(tour, view, null), EMPTY_TOUR);
const ids = (tour: typeof three) => tour.waypoints.map(({ id }) => id).join(" ");

it("adds views under ids of their own, also after one was removed", () => {
  expect(ids(three)).toBe("w1 w2 w3");
  expect(ids(withView(withoutWaypoint(three, "w1"), view, "other"))).toBe("w2 w3 w4");
  expect(three.waypoints[0]!.view).toEqual(view);
});

it("moves and changes waypoints, and leaves strangers alone", () => {
  expect(ids(withMoved(three, "w1", 1))).toBe("w2 w1 w3");
  expect(ids(withMoved(three, "w3", 1))).toBe("w1 w2 w3");
  expect(ids(withMoved(three, "x", 1))).toBe("w1 w2 w3");
  expect(withWaypoint(three, "w2", { title: "Here" }).waypoints.map(({ title }) => title)).toEqual([
    "Stop 1",
    "Here",
    "Stop 3",
  ]);
});

it("centres boxes on the point and puts an arrow's tip there", () => {
  const at = { l0_x: 100, l0_y: 200 };
  expect(markAt("ellipse", at, 80)).toMatchObject({ l0_x: 95, l0_y: 195, l0_width: 10, l0_height: 10 });
  expect(markAt("arrow", at, 80)).toMatchObject({ l0_x: 100, l0_y: 200, l0_width: 10, l0_height: -10 });
});

it("puts a removed stop back where it was, once", () => {
  const [, second] = three.waypoints;
  const back = withRestored(withoutWaypoint(three, "w2"), second!, 1);
  expect([ids(back), ids(withRestored(back, second!, 1))]).toEqual(["w1 w2 w3", "w1 w2 w3"]);
});

it("an arrow is dragged from its tail to its tip, and each end can be moved (TO7)", () => {
  const arrow = markBetween("arrow", { l0_x: 10, l0_y: 10 }, { l0_x: 40, l0_y: 50 });
  expect(arrow).toMatchObject({ l0_x: 40, l0_y: 50, l0_width: -30, l0_height: -40 });
  expect(withEnd(arrow, "start", { l0_x: 0, l0_y: 0 })).toMatchObject({
    l0_x: 0,
    l0_y: 0,
    l0_width: 10,
    l0_height: 10,
  });
  expect(withEnd(arrow, "end", { l0_x: 40, l0_y: 0 })).toMatchObject({
    l0_x: 40,
    l0_y: 50,
    l0_width: 0,
    l0_height: -50,
  });
  expect(withShift(arrow, 5, -5)).toMatchObject({ l0_x: 45, l0_y: 45, l0_width: -30, l0_height: -40 });
});

it("other marks have no negative extent, however they are dragged (TO7)", () => {
  const box = markBetween("rectangle", { l0_x: 40, l0_y: 50 }, { l0_x: 10, l0_y: 10 });
  expect(box).toMatchObject({ l0_x: 10, l0_y: 10, l0_width: 30, l0_height: 40 });
  expect(withEnd(box, "end", { l0_x: 0, l0_y: 20 })).toMatchObject({ l0_x: 0, l0_y: 10, l0_width: 10, l0_height: 10 });
});
