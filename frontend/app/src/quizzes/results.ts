/** Results as the authors look at them: pure. */
import { decimal } from "@wavescope/core/geometry/figures";
import type { QuizResults } from "@wavescope/core/wire/catalog/quizzesClient";
import type { ScreenPoint } from "@wavescope/viewer/navigation/pointing";
import type { Shape } from "./questions";

type QuestionResult = QuizResults["questions"][number];

/** Where all persons clicked for a point question; nothing for other kinds. */
export function clicksOf({ attempts }: QuizResults, { id, kind }: QuestionResult): readonly Shape[] {
  if (kind !== "point") return [];
  return attempts.flatMap(({ answers }): Shape[] => {
    const answer = answers[id];
    return answer?.kind === "point" ? [{ of: "click", corners: [[answer.l0_x, answer.l0_y]] }] : [];
  });
}

/** How opaque the spot of one click is, so that where most lie in a square of `side` CSS pixels their spots together are `DENSEST` opaque. */
export function opacityOf(spots: readonly ScreenPoint[], side: number): number {
  const counts = new Map<string, number>();
  for (const { css_x, css_y } of spots) {
    const cell = `${Math.floor(css_x / side)} ${Math.floor(css_y / side)}`;
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  return 1 - (1 - DENSEST) ** (1 / Math.max(2, ...counts.values()));
}

export const DENSEST = 0.95;

/** A text that a person has to mark, or has marked. */
export interface Marked {
  readonly attempt: string;
  readonly question: QuestionResult;
  readonly name: string;
  readonly text: string;
  /** Null: not marked yet. */
  readonly points: number | null;
  readonly comment: string;
}

/** The texts of all attempts that are over: question by question, those without a mark first. */
export function textsOf({ questions, attempts }: QuizResults): readonly Marked[] {
  const texts = questions.flatMap((question) =>
    attempts.flatMap(({ attempt_id: attempt, over, name, answers, shares, comments }): Marked[] => {
      const answer = answers[question.id];
      const share = shares[question.id] ?? null;
      if (!over || question.kind !== "text" || answer?.kind !== "text") return [];
      const points = share === null ? null : share * question.points;
      return [{ attempt, question, name, text: answer.text, points, comment: comments[question.id] ?? "" }];
    }),
  );
  return [...texts.filter(({ points }) => points === null), ...texts.filter(({ points }) => points !== null)];
}

/** Two decimals at most; a dash for what is not defined. */
export const shown = (value: number | null): string => (value === null ? "–" : decimal(Math.round(value * 100) / 100));
