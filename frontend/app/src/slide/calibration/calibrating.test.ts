import { afterEach, describe, expect, it, vi } from "vitest";
import { testManifest } from "@wavescope/core/wire/testing";
import { panelState, showPanel } from "../../microscope/panelState";
import type { SlideContext } from "../../microscope/parts";
import { calibrating, calibrationCommands, mayCalibrate, setCalibrating } from "./calibrating";

const annotations = vi.hoisted(() => ({ set: vi.fn(), open: true }));
vi.mock("@wavescope/viewer/annotate/annotations", () => ({
  openAnnotations: () => (annotations.open ? { store: { set: annotations.set } } : null),
}));

const narrow = (matches: boolean): void => void vi.stubGlobal("matchMedia", () => ({ matches }));
afterEach(() => {
  vi.unstubAllGlobals();
  calibrating.setState({ open: false });
  showPanel(null);
});

const mpp = { x: 0.25, y: 0.25 };
const entered = { origin: "entered", by: null, at: null, line: null } as const;

describe("WI80: a scale may be entered", () => {
  it.each<[string, Parameters<typeof testManifest>[0], boolean]>([
    ["where the file states none", {}, true],
    ["in place of an entered one", { mpp, scale: entered }, true],
    ["not in place of the file's", { mpp, scale: { ...entered, origin: "file" } }, false],
    ["not in place of one of unknown origin", { mpp }, false],
    ["not by who may not edit the slide", { editable: false }, false],
  ])("%s", (_, change, may) => {
    const manifest = testManifest(change);
    expect(mayCalibrate(manifest)).toBe(may);
    expect(calibrationCommands[0]!.available!({ manifest } as SlideContext)).toBe(may);
  });

  it("not while the slide is still being imported", () => {
    expect(mayCalibrate({ ...testManifest(), preview: true })).toBe(false);
  });
});

describe("beginning", () => {
  it.each([
    [true, null],
    [false, "information"],
  ])("on a narrow screen (%s) leaves the panel %s open", (isNarrow, panel) => {
    narrow(isNarrow);
    showPanel("information");
    setCalibrating(true);
    expect([calibrating.getState().open, panelState.getState().panel]).toEqual([true, panel]);
  });

  it("ends without closing a panel that was opened meanwhile", () => {
    narrow(true);
    setCalibrating(true);
    showPanel("information");
    setCalibrating(false);
    expect([calibrating.getState().open, panelState.getState().panel]).toEqual([false, "information"]);
  });

  it.each([true, false])("by its command puts a drawing tool away, where annotations are open: %s", (open) => {
    narrow(false);
    annotations.set.mockClear();
    annotations.open = open;
    calibrationCommands[0]!.run({ microscope: {} } as SlideContext);
    expect(annotations.set.mock.calls).toEqual(open ? [[{ tool: null, draft: null }]] : []);
    expect(calibrating.getState().open).toBe(true);
  });
});
