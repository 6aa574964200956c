import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { point } from "@wavescope/core/geometry/shape";
import { FakeMicroscope } from "../core/testing";
import { type Annotations, annotationsOf, openAnnotations } from "./annotations";

vi.mock("openseadragon", async () => (await import("../core/testing")).fakeOpenSeadragon);
const closed = vi.hoisted(() => [] as string[]);
vi.mock("./paint/layer", () => ({
  AnnotationLayer: class {
    close = (): void => void closed.push("layer");
  },
}));
vi.mock("./interaction", () => ({
  AnnotationInteraction: class {
    close = (): void => void closed.push("interaction");
  },
}));

const SLIDE = { id: "he", width: 4000, height: 3000, planes: 1, mpp: null, planeSpacingUm: null };

let page: EventTarget;
let fake: FakeMicroscope;
let asked: number;
beforeEach(() => {
  vi.useFakeTimers();
  closed.length = 0;
  asked = 0;
  page = new EventTarget();
  for (const name of ["addEventListener", "removeEventListener"] as const) vi.stubGlobal(name, page[name].bind(page));
  vi.stubGlobal("window", { setTimeout, clearTimeout });
  vi.stubGlobal("document", { visibilityState: "visible" });
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal("fetch", () => {
    asked += 1;
    return Promise.reject(new TypeError("no network"));
  });
  fake = microscope();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function microscope(allowed: readonly string[] | null = null): FakeMicroscope {
  return new FakeMicroscope(Object.assign({ allowed }, SLIDE));
}

/** Whether the browser asks the user before it leaves the page. */
function leave(): boolean {
  const event = new Event("beforeunload", { cancelable: true });
  page.dispatchEvent(event);
  return event.defaultPrevented;
}

const draw = ({ store }: Annotations): string => store.create(point("point", 1, 2), 0);

describe("the annotations of a microscope", () => {
  it("are opened by the first request and the same for all that follow", () => {
    expect(openAnnotations(fake.microscope)).toBeNull();
    const annotations = annotationsOf(fake.microscope);
    expect([annotationsOf(fake.microscope), openAnnotations(fake.microscope)]).toEqual([annotations, annotations]);
    expect(annotationsOf(microscope().microscope)).not.toBe(annotations);
  });

  it("AC50: are for reading where the service does not allow to change them", () => {
    const editable = (allowed: string[] | null): boolean =>
      annotationsOf(microscope(allowed).microscope).store.state.getState().editable;
    expect([editable(null), editable(["edit annotations"]), editable(["export"])]).toEqual([true, true, false]);
  });

  it("are asked for at once when the network is back", async () => {
    annotationsOf(fake.microscope);
    await vi.advanceTimersByTimeAsync(0);
    const before = asked;
    page.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toBe(before + 1);
  });

  it("make the browser ask before a page with unsaved changes is left", () => {
    const annotations = annotationsOf(fake.microscope);
    expect(leave()).toBe(false);
    draw(annotations);
    expect(leave()).toBe(true);
    annotations.store.undo();
    expect(leave()).toBe(false);
  });

  it("are closed with the viewer: what is drawn first, the store last, and nothing is asked for any more", async () => {
    const annotations = annotationsOf(fake.microscope);
    const close = vi.spyOn(annotations.store, "close").mockImplementation(() => void closed.push("store"));
    draw(annotations);
    fake.viewer.raiseEvent("before-destroy");
    expect(closed).toEqual(["interaction", "layer", "store"]);
    close.mockRestore();
    annotations.store.close();
    await vi.advanceTimersByTimeAsync(0);
    const before = asked;
    page.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([leave(), asked]).toEqual([false, before]);
  });
});

describe("the id of a new object", () => {
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  it("is a random UUID, also on a page that is not served securely", () => {
    const annotations = annotationsOf(fake.microscope);
    expect(draw(annotations)).toMatch(UUID);
    vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const ids = Array.from({ length: 50 }, () => draw(annotations));
    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
