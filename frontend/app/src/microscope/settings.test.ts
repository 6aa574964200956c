import { expect, it, vi } from "vitest";
import { readStored } from "../state/stored";
import { readSettings } from "./settings";

vi.mock("openseadragon", async () => (await import("@wavescope/viewer/core/testing")).fakeOpenSeadragon);

it.each<[string | null, object]>([
  [null, {}],
  ["{damaged", {}],
  ['{"wheel":"pan","values":true,"tabHides":1,"else":2}', { wheel: "pan", values: true }],
  ['{"wheel":"turn","tabHides":true}', { tabHides: true }],
])("settings that a browser stored, %j, are read as far as they are known (PG84)", (text, known) => {
  expect(readStored(text, readSettings)).toEqual({ ...readSettings({}), ...known });
});
