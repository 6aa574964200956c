/** Which quiz is open beside the slide, for how long the tab lives: it stays on the way to the slide of another question. Without React. */
import { createStore } from "zustand/vanilla";
import type { Quiz } from "@wavescope/core/wire/catalog/quizzesClient";

export interface QuizState {
  /** The attempt that is taken. */
  readonly attempt: string | null;
  /** Which of its questions is shown. */
  readonly at: number;
  /** The quiz that is written. */
  readonly edited: string | null;
  /** The quiz whose results are shown. */
  readonly results: string | null;
  /** What is not saved of it yet. */
  readonly draft: Quiz | null;
}

const NOTHING: QuizState = { attempt: null, at: 0, edited: null, results: null, draft: null };
const KEY = "wavescope.quiz";

export const quizState = createStore<QuizState>(() => ({ ...NOTHING, ...stored() }));
quizState.subscribe((state) => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    return; // browsers may forbid storage
  }
});

function stored(): Partial<QuizState> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Partial<QuizState>;
  } catch {
    return {};
  }
}

export const takeQuiz = (attempt: string): void => quizState.setState({ ...NOTHING, attempt });
export const editQuiz = (edited: string): void => quizState.setState({ ...NOTHING, edited });
export const showResults = (results: string): void => quizState.setState({ ...NOTHING, results });
/** Whether one of the quizzes fills the panel. */
export const isOpen = ({ attempt, edited, results }: QuizState): boolean => (attempt ?? edited ?? results) !== null;
export const closeQuiz = (): void => quizState.setState(NOTHING);
