/** Results as the authors look at them: pure. */
import type { QuizResults } from "@wavescope/core/wire/catalog/quizzesClient";
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

/** Two decimals at most; a dash for what is not defined. */
export const shown = (value: number | null): string => (value === null ? "–" : String(Math.round(value * 100) / 100));
