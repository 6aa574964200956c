import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { FakeFrames } from "@wavescope/viewer/fakeBrowser";
import { stub } from "@wavescope/core/stub";
import { type FakePage, openPage } from "../../fakePage";
import { followGamepads } from "./gamepads";

vi.mock("openseadragon", async () => (await import("@wavescope/viewer/core/testing")).fakeOpenSeadragon);
const done = vi.hoisted(() => [] as unknown[][]);
vi.mock("@wavescope/viewer/navigation/moves", () => {
  const move =
    (name: string) =>
    (_: unknown, ...rest: unknown[]) =>
      void done.push([name, ...rest]);
  const names = ["home", "panBy", "turnBy", "zoomBy", "zoomToScale"];
  return Object.fromEntries(names.map((name) => [name, move(name)]));
});
vi.mock("../browserHistory", () => ({
  jump: (_: unknown, move: () => void): void => {
    done.push(["jump"]);
    move();
  },
}));
vi.mock("./objective", () => ({ stepTurret: (_: unknown, step: number) => done.push(["stepTurret", step]) }));

const [A, B, X, Y, LEFT_BUMPER, RIGHT_BUMPER] = [0, 1, 2, 3, 4, 5];
const microscope = stub<Microscope>({ plane: 2, setPlane: (plane: number) => done.push(["setPlane", plane]) });

let page: FakePage;
let frames: FakeFrames;
let pads: (object | null)[];
let stop: () => void;
beforeEach(() => {
  done.length = 0;
  pads = [];
  page = openPage("/");
  frames = new FakeFrames();
  vi.stubGlobal("navigator", { getGamepads: () => pads });
  stop = followGamepads(microscope);
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

/** A pad with its left stick at `across` and these buttons pressed. */
const pad = (across = 0, ...pressed: number[]) => ({
  connected: true,
  axes: [across, 0, 0, 0],
  buttons: Array.from({ length: 8 }, (_, button) => ({ value: pressed.includes(button) ? 1 : 0 })),
});

function connect(...connected: (object | null)[]): void {
  pads = connected;
  page.raise("gamepadconnected");
}

describe("a gamepad", () => {
  it("costs no frame as long as none is connected", () => {
    expect(frames.asked).toBe(0);
    connect(pad());
    expect(frames.asked).toBe(1);
  });

  it("is read once a frame, however many are connected", () => {
    connect(pad());
    connect(pad(), pad());
    frames.draw();
    expect(frames.asked).toBe(1);
  });

  it("that is connected already is read from the start", () => {
    pads = [null, pad(0, Y)];
    stop();
    stop = followGamepads(microscope);
    frames.draw();
    expect(done).toEqual([["jump"], ["home"]]);
  });

  it("is not read any more after it is disconnected, until one is connected again", () => {
    connect(pad());
    frames.draw();
    pads = [{ ...pad(1), connected: false }, null];
    frames.draw();
    expect([frames.asked, done]).toEqual([0, []]);
    connect(pad());
    expect(frames.asked).toBe(1);
  });

  it("is not read any more once the viewer is closed", () => {
    connect(pad(1));
    stop();
    page.raise("gamepadconnected");
    frames.draw();
    expect([frames.asked, done]).toEqual([0, []]);
  });
});

describe("a stick that is held", () => {
  it("moves the view by the time between two frames", () => {
    connect(pad());
    frames.draw();
    pads = [pad(1)];
    frames.draw(16);
    frames.draw(32);
    const [[, short], [, long]] = done as [[string, number], [string, number]];
    expect(done.map(([name]) => name)).toEqual(["panBy", "panBy"]);
    expect(long / short).toBeCloseTo(2);
  });

  it("moves no more for a page that was hidden for minutes than for a tenth of a second", () => {
    connect(pad());
    frames.draw();
    pads = [pad(1)];
    frames.draw(100);
    frames.draw(300_000);
    expect(done[1]).toEqual(done[0]);
  });

  it("at rest moves nothing", () => {
    connect(pad(0.1));
    frames.draw();
    frames.draw();
    expect(done).toEqual([]);
  });
});

describe("a button", () => {
  it.each([
    [A, [["stepTurret", 1]]],
    [B, [["stepTurret", -1]]],
    [X, [["jump"], ["zoomToScale", 1]]],
    [Y, [["jump"], ["home"]]],
    [LEFT_BUMPER, [["setPlane", 1]]],
    [RIGHT_BUMPER, [["setPlane", 3]]],
  ])("%i does %j, once for as long as it is held down", (button, expected) => {
    connect(pad());
    frames.draw();
    pads = [pad(0, button)];
    frames.draw();
    frames.draw();
    expect(done).toEqual(expected);
    pads = [pad()];
    frames.draw();
    pads = [pad(0, button)];
    frames.draw();
    expect(done).toEqual([...expected, ...expected]);
  });
});
