/** Quizzes and attempts as the service stores them (quizzes.md). */
import { t } from "../../i18n/i18n";
import { Quiz as isQuiz } from "../generated/laterValidators";
import type * as Wire from "../generated/types";
import { call, part } from "../http/api";
import { FileError } from "../http/errors";
import type { Fixed } from "../http/json";

export type Question = Fixed<NonNullable<Wire.Quiz["questions"]>[number]>;
export type Kind = Question["kind"];
export type Quiz = Fixed<Omit<Required<Wire.Quiz>, "questions">> & { readonly questions: readonly Question[] };
export type QuizSummary = Fixed<Wire.QuizSummary>;
export type Attempt = Fixed<Wire.AttemptBody>;
export type PaperQuestion = Fixed<Wire.PaperQuestion>;
export type Answer = Attempt["answers"][string];
export type Result = Fixed<Wire.AnswerResult>;
export type QuizResults = Fixed<Wire.QuizResults>;
export type Mark = Fixed<Required<Wire.MarkRequest>>;
export type Option = Fixed<Wire.Option>;

export interface StoredQuiz {
  readonly id: string;
  readonly slideId: string | null;
  readonly revision: number;
  readonly quiz: Quiz;
}

export type QuizOwner = { readonly slide: string } | { readonly case: string };

const EMPTY: Omit<Quiz, "title"> = {
  format: "wavescope-quiz",
  version: 1,
  text: "",
  mode: "practice",
  shuffled: false,
  seconds: null,
  attempts: null,
  questions: [],
};

/** A quiz without questions. */
export const emptyQuiz = (title: string): Quiz => ({ ...EMPTY, title });

/** The quiz in the text of a file. Throws FileError. */
export function readQuizFile(text: string): Quiz {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new FileError(t("quizzes.notAQuiz"), { cause });
  }
  if (!isQuiz(document) || document.format !== "wavescope-quiz") throw new FileError(t("quizzes.notAQuiz"));
  return { ...EMPTY, ...document };
}

const storedQuizOf = ({ id, slide_id: slideId, revision, quiz }: Wire.QuizBody): StoredQuiz => ({
  id,
  slideId,
  revision,
  quiz: { ...EMPTY, ...quiz },
});

/** Those of a slide or case. */
export async function listQuizzes(owner: QuizOwner, signal?: AbortSignal): Promise<readonly QuizSummary[]> {
  return (await call("GET /quizzes", { query: owner, signal })).quizzes;
}

/** What all know of a quiz who see it. */
export async function readQuizSummary(id: string, signal?: AbortSignal): Promise<QuizSummary> {
  return call("GET /quizzes/{quiz_id}/summary", { path: { quiz_id: id }, signal });
}

export async function readQuiz(id: string, signal?: AbortSignal): Promise<StoredQuiz> {
  return storedQuizOf(await call("GET /quizzes/{quiz_id}", { path: { quiz_id: id }, signal }));
}

export async function createQuiz(owner: QuizOwner, quiz: Quiz): Promise<StoredQuiz> {
  return storedQuizOf(await call("POST /quizzes", { query: owner, body: quiz }));
}

/** Refused (`stale-revision`) if the quiz was changed since `revision`. */
export async function saveQuiz(id: string, quiz: Quiz, revision: number): Promise<StoredQuiz> {
  return storedQuizOf(await call("PUT /quizzes/{quiz_id}", { path: { quiz_id: id }, body: quiz, revision }));
}

export async function deleteQuiz(id: string, revision: number): Promise<void> {
  await call("DELETE /quizzes/{quiz_id}", { path: { quiz_id: id }, revision });
}

/** Where the quiz's file lies. */
export const quizFile = (id: string): string => `/api/v1/quizzes/${part(id)}/file`;

/** All attempts with names and answers, for authors (QZ22). */
export async function readResults(id: string, signal?: AbortSignal): Promise<QuizResults> {
  return call("GET /quizzes/{quiz_id}/results", { path: { quiz_id: id }, signal });
}

/** Points and a comment for a text, again to correct it (QZ25). */
export async function markAnswer(quiz: string, attempt: string, question: string, mark: Mark): Promise<void> {
  const path = { quiz_id: quiz, attempt_id: attempt, question_id: question };
  await call("PUT /quizzes/{quiz_id}/attempts/{attempt_id}/marks/{question_id}", { path, body: mark });
}

/** Where the results lie as CSV. */
export const resultsFile = (id: string): string => `/api/v1/quizzes/${part(id)}/results/file`;

/** The running attempt, or another one (QZ15). */
export async function beginAttempt(quiz: string): Promise<Attempt> {
  return call("POST /quizzes/{quiz_id}/attempts", { path: { quiz_id: quiz } });
}

export async function readAttempt(id: string, signal?: AbortSignal): Promise<Attempt> {
  return call("GET /attempts/{attempt_id}", { path: { attempt_id: id }, signal });
}

/** The same answer again changes nothing (QZ17). */
export async function saveAnswer(attempt: string, question: string, answer: Answer): Promise<Attempt> {
  const path = { attempt_id: attempt, question_id: question };
  return call("PUT /attempts/{attempt_id}/answers/{question_id}", { path, body: { answer } });
}

export async function endAttempt(id: string): Promise<Attempt> {
  return call("POST /attempts/{attempt_id}/end", { path: { attempt_id: id } });
}
