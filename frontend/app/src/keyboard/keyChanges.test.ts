import { expect, it } from "vitest";
import { added, assigned, conflictsOf, hasFixedKeys, reset, swapped } from "./keyChanges";

const COMMANDS = [
  { id: "full", keys: ["f"] },
  { id: "home", keys: ["0", "Home"] },
  { id: "objective", keys: ["2"] },
  { id: "class", keys: ["2"] }, // while one counts
  { id: "none", keys: [] },
  { id: "leave", keys: ["Escape"] },
];
const ids = (map: Parameters<typeof conflictsOf>[1], id: string, key: string) =>
  conflictsOf(COMMANDS, map, id, key).map((command) => command.id);

it("a command gets a key in place of its own; what is as it came is not stored (PG88)", () => {
  const map = assigned(COMMANDS, {}, "full", "F11");
  expect(map).toEqual({ full: ["F11"] });
  expect(assigned(COMMANDS, map, "full", "f")).toEqual({});
  expect(assigned(COMMANDS, {}, "full", null)).toEqual({ full: [] });
});

it("a key conflicts with the commands that have it now, but not with one that has it in turn (PG88)", () => {
  expect(ids({}, "full", "Home")).toEqual(["home"]);
  expect(ids({ home: ["h"] }, "full", "Home")).toEqual([]);
  expect(ids({ home: ["h"] }, "full", "h")).toEqual(["home"]);
  expect(ids({}, "full", "2")).toEqual(["objective", "class"]);
  expect(ids({ class: ["x"] }, "class", "2")).toEqual([]);
  expect(ids({}, "full", "f")).toEqual([]);
});

it("swapping gives the other command this one's key, and leaves its other keys (PG88)", () => {
  expect(swapped(COMMANDS, {}, "full", "0")).toEqual({ full: ["0"], home: ["f", "Home"] });
  expect(swapped(COMMANDS, {}, "full", "2")).toEqual({ full: ["2"], objective: ["f"], class: ["f"] });
  expect(swapped(COMMANDS, {}, "none", "0")).toEqual({ none: ["0"], home: ["Home"] });
});

it("a command gets a second key, which no other command has any more (PG95)", () => {
  expect(added(COMMANDS, {}, "full", "F11")).toEqual({ full: ["f", "F11"] });
  expect(added(COMMANDS, {}, "full", "Home")).toEqual({ full: ["f", "Home"], home: ["0"] });
  expect(added(COMMANDS, { full: ["x"] }, "full", "f")).toEqual({ full: ["x", "f"] });
  expect(added(COMMANDS, {}, "full", "f")).toEqual({});
  expect(reset(COMMANDS, added(COMMANDS, {}, "full", "Home"), "full")).toEqual({ home: ["0"] });
  expect(reset(COMMANDS, added(COMMANDS, {}, "full", "Home"), "home")).toEqual({});
});

it("resetting a command resets those that took its keys, and no others (PG88)", () => {
  const map = { ...swapped(COMMANDS, {}, "full", "0"), none: ["n"] };
  expect(reset(COMMANDS, map, "full")).toEqual({ none: ["n"] });
  expect(reset(COMMANDS, map, "none")).toEqual(swapped(COMMANDS, {}, "full", "0"));
  const round = { full: ["0"], home: ["2"], objective: ["f"] };
  expect(reset(COMMANDS, round, "full")).toEqual({});
});

it("the keys of what closes and moves the focus stay (PG88)", () => {
  expect(COMMANDS.filter(hasFixedKeys).map(({ id }) => id)).toEqual(["leave"]);
});
