import { expect, it, vi } from "vitest";

vi.mock("openseadragon", () => ({ default: { DrawerBase: Object, TileSource: Object } }));
const { saysChanges } = await import("./description");
const { readSettings } = await import("../settings");

it("says changes after moves by keys while the picture has the focus, unless the user chose otherwise (PG108)", () => {
  const { spoken } = readSettings({});
  expect([saysChanges(spoken, true, true), saysChanges(spoken, false, true), saysChanges(spoken, true, false)]).toEqual(
    [true, false, false],
  );
  expect(saysChanges("always", false, false)).toBe(true);
  expect(saysChanges("never", true, true)).toBe(false);
  expect(readSettings({ spoken: "loudly" }).spoken).toBe("keys");
});
