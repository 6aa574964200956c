import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { boxed, line, point } from "@wavescope/core/geometry/shape";
import { stub } from "@wavescope/core/stub";
import { FakeElement, openDocument } from "../../fakeBrowser";
import type { Matrix } from "./matrix";
import { Marks, paintLabels } from "./marks";

/** Half a device pixel per level-0 pixel, two device pixels per CSS pixel. */
const matrix: Matrix = { a: 0.5, b: 0, c: 0, d: 0.5, e: 20, f: 40 };
const RATIO = 2;
const BLUE = "rgb(0 0 255)";
const square = boxed("rectangle", { minX: 100, minY: 200, maxX: 180, maxY: 240 });

let marks: Marks;
let root: FakeElement;
beforeEach(() => {
  openDocument();
  marks = new Marks();
  const found: unknown = marks.root;
  root = found as FakeElement;
});
afterEach(() => vi.unstubAllGlobals());

const outlines = (): FakeElement[] => root.children[0]!.children;
const pathsOf = (group: FakeElement): (string | null)[] => group.all("path").map((path) => path.getAttribute("d"));
const handles = (): string | null => root.children[1]!.getAttribute("d");
const labels = (): (string | null)[][] =>
  root.all("text").map((text) => [text.textContent, text.getAttribute("transform"), text.getAttribute("class")]);

describe("outlines", () => {
  it("are drawn twice, light below and in their colour above, so that they are seen on any tissue", () => {
    marks.outline([{ shape: square, color: BLUE }]);
    const [light, own] = outlines()[0]!.all("path") as [FakeElement, FakeElement];
    expect(light.style.cssText).toContain("stroke:#fff;stroke-width:5;");
    expect(own.style.cssText).toContain(`stroke:${BLUE};stroke-width:2.5;`);
    expect(light.getAttribute("d")).toBe(own.getAttribute("d"));
  });

  it("are counted from their first corner, so that no digit of a large slide is lost", () => {
    const far = line("line", [1e6 + 0.125, 2e6, 1e6 + 0.25, 2e6 + 0.5]);
    marks.outline([{ shape: far, color: BLUE }]);
    expect(pathsOf(outlines()[0]!)[0]).toBe("M0 0L0.125 0.5");
    marks.update(matrix, RATIO, [], []);
    expect(outlines()[0]!.getAttribute("transform")).toBe(
      `matrix(0.25 0 0 0.25 ${(0.5 * (1e6 + 0.125) + 20) / 2} ${(0.5 * 2e6 + 40) / 2})`,
    );
  });

  it("of points are dots: lines of no length", () => {
    const points = { ...point("point", 10, 20), type: "MultiPoint", parts: [[10, 20, 13, 24]] } as const;
    marks.outline([{ shape: points, color: BLUE }]);
    expect(pathsOf(outlines()[0]!)[0]).toBe("M0 0L0 0M3 4L3 4");
  });

  it("that are pointed out have a third line, and are named so", () => {
    marks.outline([{ shape: square, color: BLUE, strong: true }]);
    expect([outlines()[0]!.all("path").length, outlines()[0]!.dataset.pointed]).toEqual([3, "true"]);
  });

  it("are replaced by the next ones", () => {
    marks.outline([
      { shape: square, color: BLUE },
      { shape: square, color: BLUE },
    ]);
    marks.outline([{ shape: point("point", 1, 2), color: BLUE }]);
    expect(outlines()).toHaveLength(1);
    marks.outline([]);
    expect(outlines()).toHaveLength(0);
  });
});

describe("handles", () => {
  const corner = (x: number, y: number) => ({ x, y, target: { part: 0, at: 0 } });

  it("for new corners are dots between them", () => {
    marks.update(matrix, RATIO, [corner(100, 200), { x: 140, y: 200, target: { part: 0, after: 0 } }], []);
    expect(handles()).toBe("M31.0 66.0h8v8h-8z");
    expect(root.children[2]!.getAttribute("d")).toBe("M42.0 70.0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z");
  });
  it("are squares of eight CSS pixels around their point, at any zoom", () => {
    marks.update(matrix, RATIO, [corner(100, 200), corner(180, 200)], []);
    expect(handles()).toBe("M31.0 66.0h8v8h-8zM51.0 66.0h8v8h-8z");
    marks.update({ ...matrix, a: 5, d: 5 }, RATIO, [corner(0, 0)], []);
    expect(handles()).toBe("M6.0 16.0h8v8h-8z");
    marks.update(matrix, RATIO, [], []);
    expect(handles()).toBe("");
  });

  it("are not written again while nothing moves", () => {
    const write = vi.spyOn(root.children[1]!, "setAttribute");
    marks.update(matrix, RATIO, [corner(100, 200)], []);
    marks.update(matrix, RATIO, [corner(100, 200)], []);
    expect(write).toHaveBeenCalledOnce();
  });
});

it("the area in which objects are being selected is a rectangle of the screen, and goes again", () => {
  const area = root.all("rect")[0]!;
  expect(area.style.display).toBe("none");
  marks.select({ x: 1, y: 2, width: 30, height: 40 });
  expect(["x", "y", "width", "height"].map((name) => area.getAttribute(name))).toEqual(["1", "2", "30", "40"]);
  expect(area.style.display).toBe("");
  marks.select(null);
  expect(area.style.display).toBe("none");
});

describe("labels", () => {
  it("stand to the right of their point and above it, as many as there are", () => {
    marks.update(
      matrix,
      RATIO,
      [],
      [
        { x: 100, y: 200, text: "Duct" },
        { x: 180, y: 200, text: "40\u202fµm", strong: true },
      ],
    );
    expect(labels()).toEqual([
      ["Duct", "translate(43.0 62.0)", "wavescope-label"],
      ["40\u202fµm", "translate(63.0 62.0)", "wavescope-label strong"],
    ]);
    marks.update(matrix, RATIO, [], [{ x: 180, y: 200, text: "41\u202fµm" }]);
    expect(labels()).toEqual([["41\u202fµm", "translate(63.0 62.0)", "wavescope-label"]]);
  });

  it("AN56: whose names are cut have the whole one as a tip", () => {
    marks.update(matrix, RATIO, [], [{ x: 100, y: 200, text: "A long …", whole: "A long name" }]);
    const [text] = root.all("text");
    expect(text!.all("title").map(({ textContent }) => textContent)).toEqual(["A long name"]);
    expect(text!.style.pointerEvents).toBe("auto");
    marks.update(matrix, RATIO, [], [{ x: 100, y: 200, text: "Short" }]);
    expect([text!.textContent, text!.style.pointerEvents]).toEqual(["Short", ""]);
  });

  it("lie in a picture of the view where they stand on the screen", () => {
    const said: unknown[][] = [];
    const pen = {
      font: "",
      save: () => undefined,
      restore: () => undefined,
      strokeText: () => undefined,
      fillText: (...words: unknown[]) => said.push([...words, pen.font]),
    };
    const label = { x: 100, y: 200, text: "Duct" };
    paintLabels(stub<CanvasRenderingContext2D>(pen), matrix, RATIO, [label, { ...label, strong: true }]);
    expect(said).toEqual([
      ["Duct", 43 * RATIO, 62 * RATIO, "600 24px sans-serif"],
      ["Duct", 43 * RATIO, 62 * RATIO, "700 24px sans-serif"],
    ]);
  });
});
