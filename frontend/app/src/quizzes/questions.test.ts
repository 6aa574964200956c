import { describe, expect, it } from "vitest";
import { type Question, emptyQuiz, readQuizFile } from "@wavescope/core/wire/catalog/quizzesClient";
import {
  KINDS,
  clock,
  complete,
  missingIn,
  newQuestion,
  orderOf,
  shapesOf,
  withArea,
  withKeySpot,
  withQuestion,
  withSpot,
} from "./questions";

const VIEW = {
  l0_x: 100,
  l0_y: 200,
  l0_width: 60,
  l0_height: 30,
  rotation: 0,
  flip: false,
  plane: 0,
  adjustments: null,
};

describe("questions of a quiz", () => {
  it("are accepted as a file as soon as they are made, in every kind (QZ3)", () => {
    const questions = KINDS.map((kind) => newQuestion(kind, VIEW, null));
    const quiz = { ...emptyQuiz("Quiz"), questions };
    expect(readQuizFile(JSON.stringify(quiz))).toEqual(quiz);
    expect(missingIn(quiz)).toBeNull();
    expect(new Set(questions.map(({ id }) => id)).size).toBe(KINDS.length);
  });

  it("have their key at the centre of the view (QZ11)", () => {
    expect(newQuestion("point", VIEW, null).key).toEqual({ l0_x: 100, l0_y: 200, l0_radius: 1.5 });
  });

  it("are replaced by their id, and a quiz without a title or a region without corners cannot be saved", () => {
    const region = newQuestion("region", VIEW, null);
    if (region.kind !== "region") throw new Error(region.kind);
    const quiz = { ...emptyQuiz("Quiz"), questions: [region] };
    const bare = withQuestion(quiz, { ...region, key: { ...region.key, outline: [] } });
    expect(missingIn(bare)).not.toBeNull();
    expect(missingIn({ ...quiz, title: " " })).not.toBeNull();
  });
});

describe("the key of a point", () => {
  const point = newQuestion("point", VIEW, null) as Extract<Question, { kind: "point" }>;

  it("turns from a circle into an area at the same place, and back (QZ11)", () => {
    const area = withArea(point, true) as typeof point;
    if (!("outline" in area.key)) throw new Error("no area");
    const distances = area.key.outline.map(([x, y]) => Math.hypot(x! - 100, y! - 200));
    expect(Math.max(...distances)).toBeCloseTo(1.5, 1);
    expect(Math.min(...distances)).toBeCloseTo(1.5, 1);
    expect(withArea(area, true)).toBe(area);
    expect(withArea(area, false).key).toEqual({ l0_x: 100, l0_y: 200, l0_radius: 1.5 });
    expect(shapesOf("point", null, area.key)).toEqual([{ of: "key", corners: area.key.outline }]);
  });

  it("is complete as an area with three corners, which clicks add", () => {
    const quiz = (one: Question) => ({ ...emptyQuiz("Quiz"), questions: [one] });
    const area = {
      ...point,
      key: {
        outline: [
          [1, 1],
          [2, 2],
        ],
      },
    }; // prettier-ignore
    expect(missingIn(quiz(area))).not.toBeNull();
    expect(missingIn(quiz(withKeySpot(area, 3.04, 0)))).toBeNull();
    expect(withKeySpot(point, 3.04, 0).key).toEqual({ l0_x: 3, l0_y: 0, l0_radius: 1.5 });
    expect(withArea({ ...point, key: { outline: [] } }, false).key).toEqual({ l0_x: 100, l0_y: 200, l0_radius: 1 });
  });
});

describe("answers", () => {
  it("are complete once they say something", () => {
    expect(complete(null)).toBe(false);
    expect(complete({ kind: "choice", chosen: [] })).toBe(false);
    expect(complete({ kind: "text", text: "  " })).toBe(false);
    expect(complete({ kind: "text", text: "A gland" })).toBe(true);
    expect(complete({ kind: "number", value: 0 })).toBe(true);
  });

  it("on the slide take each click: a point moves, an outline grows by a corner", () => {
    const point = withSpot("point", null, 1.26, 2);
    expect(point).toEqual({ kind: "point", l0_x: 1.3, l0_y: 2 });
    const outline = withSpot("region", withSpot("region", null, 1, 2), 3, 4);
    expect(outline).toEqual({
      kind: "region",
      outline: [
        [1, 2],
        [3, 4],
      ],
    });
    expect(complete(outline)).toBe(false);
    expect(withSpot("number", null, 1, 2)).toBeNull();
  });

  it("are drawn with the key; a text and a choice draw nothing", () => {
    const key = { l0_x: 5, l0_y: 6, l0_radius: 7 };
    expect(shapesOf("point", { kind: "point", l0_x: 1, l0_y: 2 }, key)).toEqual([
      { of: "key", corners: [[5, 6]], l0_radius: 7 },
      { of: "answer", corners: [[1, 2]] },
    ]);
    expect(shapesOf("text", { kind: "text", text: "A gland" }, "A model")).toEqual([]);
    expect(shapesOf("choice", null, ["a"])).toEqual([]);
  });

  it("of an order begin as the options are shown (QZ14)", () => {
    const question = {
      id: "q",
      kind: "order",
      text: "",
      slide: null,
      view: {},
      points: 1,
      hint: "",
      options: [
        { id: "b", text: "" },
        { id: "a", text: "" },
      ],
    } as const;
    expect(orderOf(question, null)).toEqual(["b", "a"]);
    expect(orderOf(question, { kind: "order", order: ["a", "b"] })).toEqual(["a", "b"]);
  });
});

it("shows seconds as minutes and seconds, never below zero (QZ16)", () => {
  expect([clock(65), clock(0.2), clock(-3)]).toEqual(["1:05", "0:01", "0:00"]);
});
