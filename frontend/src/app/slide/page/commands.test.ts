import { expect, it, vi } from "vitest";

vi.mock("openseadragon", () => ({ default: { DrawerBase: Object, TileSource: Object } })); // it wants a document
vi.mock("./panels", () => ({
  panels: [{ id: "one", title: "One", keys: ["o"], icon: () => null, Panel: () => null }],
}));

const { commands } = await import("./commands");

it("gives every command a name of its own and no key to two of them", () => {
  const ids = commands.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const keys = commands.flatMap((command) => command.keys);
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
});

it("has a command that opens each panel", () => {
  expect(commands.find(({ id }) => id === "panel.one")?.keys).toEqual(["o"]);
});
