import { beforeEach, describe, expect, it, vi } from "vitest";
import { parseComparison } from "@wavescope/viewer/compare/address";
import { FakeMicroscope } from "@wavescope/viewer/core/testing";
import { stub } from "@wavescope/core/stub";
import { testManifest } from "@wavescope/core/wire/testing";
import { Opening } from "./useComparison";

vi.mock("openseadragon", async () => (await import("@wavescope/viewer/core/testing")).fakeOpenSeadragon);
vi.mock("@wavescope/viewer/light/light", async () => {
  const { plain } = await import("@wavescope/viewer/light/adjustments");
  return { readLight: () => plain, setLight: () => undefined, lightOf: () => null };
});
vi.mock("../testHooks", () => ({}));

interface Asked {
  readonly element: HTMLElement;
  readonly slide: string;
  readonly plane: number;
  readonly microscopes: number;
  readonly microscope: FakeMicroscope & { close: () => void };
  give(): void;
  fail(error: Error): void;
}
const asked = vi.hoisted(() => [] as Asked[]);
const close = vi.hoisted(() => vi.fn());
vi.mock("@wavescope/viewer/navigation/openMicroscope", async () => {
  const { FakeMicroscope: Fake } = await import("@wavescope/viewer/core/testing");
  type Slide = ConstructorParameters<typeof Fake>[0];
  return {
    openMicroscope: (element: HTMLElement, slide: Slide, _: unknown, plane: number, microscopes: number) =>
      new Promise((resolve, reject) => {
        const microscope = Object.assign(new Fake(slide), { close: () => void close(slide.id), plane });
        asked.push({
          element,
          slide: slide.id,
          plane,
          microscopes,
          microscope,
          give: () => resolve(microscope),
          fail: reject,
        });
      }),
  };
});
vi.mock("@wavescope/viewer/core/device/capabilities", () => ({ fallbackReason: () => null }));

const [one, other] = [stub<HTMLElement>({ id: "one" }), stub<HTMLElement>({ id: "other" })];
const [left, right] = [testManifest({ id: "he", planes: 7 }), testManifest({ id: "er", planes: 3 })];

let opening: Opening;
let opened: unknown;
beforeEach(() => {
  asked.length = 0;
  close.mockClear();
  opening = new Opening();
  opened = "not yet";
});

function open(hash = ""): void {
  const start = parseComparison("", hash, [1]);
  opening.all([one, other], [left, right], start).then(
    (comparison) => (opened = comparison),
    (error: unknown) => (opened = error),
  );
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

/** The microscope is there; then its slide is open. */
async function give(nth: number): Promise<void> {
  asked[nth]!.give();
  await turns();
  asked[nth]!.microscope.viewer.raiseEvent("open");
  await turns();
}

const closedSlides = (): unknown[] => close.mock.calls.map(([id]) => id as unknown);

describe("opening two slides", () => {
  it("opens the left one first, then the right one, each with half of the device, on their middle planes", async () => {
    open();
    expect(asked.map(({ slide }) => slide)).toEqual(["he"]);
    await give(0);
    expect(asked).toMatchObject([
      { element: one, slide: "he", plane: 3, microscopes: 2 },
      { element: other, slide: "er", plane: 1, microscopes: 2 },
    ]);
    expect(opened).toBe("not yet");
    await give(1);
    expect(opened).toMatchObject({ microscopes: [asked[0]!.microscope, asked[1]!.microscope] });
  });

  it("opens the planes that the address says", async () => {
    open("#a.x=1&a.y=1&a.scale=1&a.plane=5&b.x=1&b.y=1&b.scale=1");
    await give(0);
    expect(asked.map(({ plane }) => plane)).toEqual([5, 0]);
  });

  it("waits until the viewer has opened the slide, not only until the microscope is there", async () => {
    open();
    asked[0]!.give();
    await turns();
    expect(asked).toHaveLength(1);
  });

  it("fails with what made one of them fail, and closing then closes the other one", async () => {
    open();
    await give(0);
    const error = new Error("no WebAssembly");
    asked[1]!.fail(error);
    await turns();
    expect(opened).toBe(error);
    opening.close();
    expect(closedSlides()).toEqual(["he"]);
  });
});

describe("a page that is left", () => {
  it("closes both microscopes, and removes the handlers of the comparison", async () => {
    open();
    await give(0);
    await give(1);
    expect(asked[0]!.microscope.viewer.handlerCount).toBeGreaterThan(0);
    opening.close();
    expect(closedSlides()).toEqual(["he", "er"]);
    expect(asked.map(({ microscope }) => microscope.viewer.handlerCount)).toEqual([0, 0]);
  });

  it("before the left one is there closes it as soon as it comes, and opens no right one", async () => {
    open();
    opening.close();
    asked[0]!.give();
    await turns();
    expect([closedSlides(), asked.length, opened]).toEqual([["he"], 1, null]);
  });

  it("before the left slide is open closes it once, and opens no right one", async () => {
    open();
    asked[0]!.give();
    await turns();
    opening.close();
    asked[0]!.microscope.viewer.raiseEvent("open");
    await turns();
    expect([closedSlides(), asked.length, opened]).toEqual([["he"], 1, null]);
  });

  it("before the right slide is open links nothing: both are closed, each once", async () => {
    open();
    await give(0);
    asked[1]!.give();
    await turns();
    opening.close();
    asked[1]!.microscope.viewer.raiseEvent("open");
    await turns();
    expect([closedSlides(), opened]).toEqual([["he", "er"], null]);
    expect(asked.map(({ microscope }) => microscope.viewer.handlerCount)).toEqual([0, 0]);
  });

  it("before the right one is there closes both, each once", async () => {
    open();
    await give(0);
    opening.close();
    asked[1]!.give();
    await turns();
    expect([closedSlides(), opened]).toEqual([["he", "er"], null]);
  });
});
