import { describe, expect, it } from "vitest";
import type { QuizResults } from "@wavescope/core/wire/catalog/quizzesClient";
import { DENSEST, clicksOf, opacityOf, shown, textsOf } from "./results";

const question = (kind: "point" | "number" | "text") => ({
  id: "q",
  kind,
  text: "",
  slide: "s",
  points: 1,
  answered: 2,
  difficulty: 0.5,
  discrimination: null,
});
const attempt = (answers: QuizResults["attempts"][number]["answers"]) => ({
  attempt_id: "a",
  name: "Vera",
  number: 1,
  begun: "2026-01-01T00:00:00Z",
  over: true,
  points: 0,
  waiting: 0,
  answers,
  comments: {},
  shares: {},
});

describe("results of a quiz (QZ22)", () => {
  it("draws a dot for each click, and nothing for those who did not answer", () => {
    const results: QuizResults = {
      title: "t",
      of_points: 1,
      finished: 2,
      questions: [question("point")],
      attempts: [attempt({ q: { kind: "point", l0_x: 1, l0_y: 2 } }), attempt({})],
    };
    expect(clicksOf(results, question("point"))).toEqual([{ of: "click", corners: [[1, 2]] }]);
    expect(clicksOf(results, question("number"))).toEqual([]);
  });

  it("lists the texts to mark first, with their points (QZ25)", () => {
    const text = { q: { kind: "text", text: "A gland" } } as const;
    const results: QuizResults = {
      title: "t",
      of_points: 1,
      finished: 1,
      questions: [{ ...question("text"), points: 4 }],
      attempts: [
        { ...attempt(text), attempt_id: "marked", shares: { q: 0.5 }, comments: { q: "Short" } },
        { ...attempt(text), attempt_id: "running", over: false },
        { ...attempt(text), attempt_id: "new", shares: { q: null } },
        attempt({}),
      ],
    };
    const found = textsOf(results).map((one) => [one.attempt, one.text, one.points, one.comment]);
    expect(found).toEqual([
      ["new", "A gland", null, ""],
      ["marked", "A gland", 2, "Short"],
    ]);
  });

  it("shows a dash for what is not defined (QZ23)", () => {
    expect([shown(null), shown(0), shown(0.66666)]).toEqual(["–", "0", "0.67"]);
  });
});

it("makes the densest place of clicks as opaque as wanted, whatever their number", () => {
  for (const count of [2, 50, 1000]) {
    const spots = Array.from({ length: count }, () => ({ css_x: 40, css_y: 8 }));
    const sum = 1 - (1 - opacityOf([...spots, { css_x: 400, css_y: 8 }], 32)) ** count;
    expect(sum).toBeCloseTo(DENSEST);
  }
});

it("makes a single click half as dense as two, not the densest", () => {
  expect(opacityOf([{ css_x: 0, css_y: 0 }], 32)).toBeCloseTo(1 - Math.sqrt(1 - DENSEST));
});
