import { expect, it, vi } from "vitest";
import { FIRST_SETTINGS, parseSettings } from "./settings";

vi.mock("openseadragon", async () => (await import("@wavescope/viewer/core/testing")).fakeOpenSeadragon);

it.each<[string | null, object]>([
  [null, {}],
  ["{damaged", {}],
  ['{"wheel":"pan","values":true,"tabHides":1,"else":2}', { wheel: "pan", values: true }],
  ['{"wheel":"turn","tabHides":true}', { tabHides: true }],
])("settings that a browser stored, %j, are read as far as they are known (PG84)", (text, known) => {
  expect(parseSettings(text)).toEqual({ ...FIRST_SETTINGS, ...known });
});
