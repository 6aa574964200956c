import { expect, it, vi } from "vitest";
import type { Tour } from "@wavescope/core/wire/catalog/toursClient";

vi.mock("openseadragon", () => ({ default: {} }));
const { merged } = await import("./merging");
const { withMoved, withWaypoint, withoutWaypoint } = await import("./editing");

const stop = (id: string) => ({ id, title: id, text: "", slide: null, view: {}, annotations: [], marks: [] });
const base: Tour = { title: "A", text: "", waypoints: ["w1", "w2", "w3"].map(stop) };
const ids = (tour: Tour | null) => tour?.waypoints.map(({ id }) => id).join(" ");

it("different fields are merged: of the tour, of different stops and of one stop", () => {
  const mine = withWaypoint({ ...base, title: "Mine" }, "w1", { text: "mine" });
  const theirs = withWaypoint(withWaypoint({ ...base, text: "Theirs" }, "w1", { title: "theirs" }), "w2", {
    text: "theirs",
  });
  const together = merged(base, mine, theirs)!;
  expect([together.title, together.text]).toEqual(["Mine", "Theirs"]);
  expect(together.waypoints.map(({ title, text }) => [title, text])).toEqual([
    ["theirs", "mine"],
    ["w2", "theirs"],
    ["w3", ""],
  ]);
});

it("the same field changed in two ways contradicts; changed alike it does not", () => {
  expect(merged(base, { ...base, title: "B" }, { ...base, title: "C" })).toBeNull();
  expect(merged(base, { ...base, title: "B" }, { ...base, title: "B" })?.title).toBe("B");
  expect(merged(base, withoutWaypoint(base, "w2"), withWaypoint(base, "w2", { text: "new" }))).toBeNull();
});

it("stops that are removed, moved and added by either are so afterwards", () => {
  const added = (tour: Tour, id: string, title: string) => ({
    ...tour,
    waypoints: [...tour.waypoints, { ...stop(id), title }],
  });
  expect(ids(merged(base, withoutWaypoint(base, "w1"), withMoved(base, "w3", -1)))).toBe("w3 w2");
  const both = merged(base, added(base, "w4", "mine"), added(base, "w4", "theirs"))!;
  expect(both.waypoints.map(({ title }) => title).sort()).toEqual(["mine", "theirs", "w1", "w2", "w3"]);
  expect(new Set(both.waypoints.map(({ id }) => id)).size).toBe(5);
});
