import { expect, it, vi } from "vitest";

vi.mock("openseadragon", () => ({ default: { DrawerBase: Object, TileSource: Object } })); // it wants a document
vi.mock("../../ui/later/laterStyles", () => ({})); // it wants one too

const { commands, previewCommands } = await import("./commands");
const { allPanels: panels } = await import("./laterPanels");
const { firstCommands, firstPreviewCommands } = await import("./firstCommands");
const { laterCommands, laterPreviewCommands } = await import("./later");

const repeated = (names: readonly string[]): string[] => names.filter((name, i) => names.indexOf(name) !== i);

/** Keys that do one thing where something is drawn, selected or counted, and another elsewhere. */
const TWO_IN_TURN = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "Backspace", "Escape", "Escape", "Mod+a"];

it.each([
  ["a slide", commands, TWO_IN_TURN],
  ["a preview", previewCommands, []],
])("gives every command of %s a name of its own and no key to two that can be done at once", (_, list, shared) => {
  expect(repeated(list.map(({ id }) => id))).toEqual([]);
  expect(repeated(list.flatMap(({ keys }) => keys)).sort()).toEqual(shared);
});

it("has the panels of the page, each with a name and keys of its own", () => {
  expect(panels.length).toBeGreaterThan(4);
  expect(repeated(panels.map(({ id }) => id))).toEqual([]);
  expect(repeated(panels.flatMap(({ keys }) => keys))).toEqual([]);
});

it("has a command that opens each panel by its keys", () => {
  for (const { id, keys } of panels) expect(commands.find((one) => one.id === `panel.${id}`)?.keys).toEqual(keys);
});

it.each([
  ["a slide", commands, firstCommands, laterCommands],
  ["a preview", previewCommands, firstPreviewCommands, laterPreviewCommands],
])("knows the keys of %s before their commands are here (PG3)", async (_, list, first, later) => {
  expect(list.filter((command) => first.includes(command))).toHaveLength(first.length);
  const keys = list.filter((command) => !first.includes(command)).flatMap((command) => command.keys);
  const onObjects = /^(Shift\+)?Enter$|^Escape$|^Tab$|^Delete$|^Mod\+(Shift\+)?[zyad]$|^Alt\+(Arrow|[,.]$)|^[1-9o]$/; // nothing is drawn, selected or counted yet
  expect([...later.keys].sort()).toEqual([...new Set(keys.filter((key) => !onObjects.test(key)))].sort());
  expect(await later.load()).toBe(list);
});
