/** Questions and what is drawn for them: pure. */
import type { View } from "@wavescope/viewer/view/view";
import type { Answer, Kind, PaperQuestion, Question, Quiz, Result } from "@wavescope/core/wire/catalog/quizzesClient";
import { t } from "@wavescope/core/i18n/i18n";

export const KINDS: readonly Kind[] = ["choice", "point", "region", "number", "order", "text"];
export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  choice: t("quizzes.choice"),
  point: t("quizzes.point"),
  region: t("quizzes.region"),
  number: t("quizzes.number"),
  order: t("quizzes.order"),
  text: t("quizzes.textKind"),
};

/** A shape over the slide: one corner is a point, with the radius in level-0 pixels that counts as right. */
export interface Shape {
  readonly of: "answer" | "key" | "click";
  readonly corners: readonly (readonly number[])[];
  readonly l0_radius?: number;
}

export type OnSlide = Extract<Question, { kind: "point" | "region" }>;

/** Tells no order (QZ14). */
export const newId = (): string => Math.random().toString(36).slice(2, 10);

const options = () => [
  { id: newId(), text: "" },
  { id: newId(), text: "" },
];
const round = (value: number): number => Math.round(value * 10) / 10;

/** A question at this view. `slide`: null for the slide of the quiz. */
export function newQuestion(kind: Kind, view: View, slide: string | null): Question {
  const common = { id: newId(), text: "", slide, view: { ...view }, points: 1, hint: "", feedback: "" };
  const { l0_x, l0_y, l0_width, l0_height } = view;
  const size = Math.min(l0_width, l0_height);
  switch (kind) {
    case "choice": {
      const two = options();
      return { ...common, kind, options: two, key: [two[0]!.id], multiple: false };
    }
    case "order": {
      const two = options();
      return { ...common, kind, options: two, key: two.map(({ id }) => id) };
    }
    case "point":
      return { ...common, kind, key: { l0_x: round(l0_x), l0_y: round(l0_y), l0_radius: round(size / 20) } };
    case "region": {
      const [x, y, d] = [l0_x, l0_y, size / 6];
      const outline = [
        [x - d, y - d],
        [x + d, y - d],
        [x + d, y + d],
        [x - d, y + d],
      ].map((one) => one.map(round)); // prettier-ignore
      return { ...common, kind, key: { outline, overlap: 0.5 } };
    }
    case "number":
      return { ...common, kind, unit: "", key: { value: 0, tolerance: 0 } };
    case "text":
      return { ...common, kind, key: "" };
  }
}

export function withQuestion(quiz: Quiz, question: Question): Quiz {
  return { ...quiz, questions: quiz.questions.map((one) => (one.id === question.id ? question : one)) };
}

/** Why the quiz cannot be saved yet; null: it can. */
export function missingIn(quiz: Quiz): string | null {
  if (!quiz.title.trim()) return t("quizzes.titleNeeded");
  const drawn = quiz.questions.every((one) => !isOutlined(one) || one.key.outline.length > 2);
  return drawn ? null : t("quizzes.cornersNeeded");
}

type Outlined = OnSlide & { readonly key: { readonly outline: readonly (readonly number[])[] } };

/** Whether its key is an outline: of a region, or the area of a point (QZ11, QZ12). */
export const isOutlined = (question: Question): question is Outlined =>
  (question.kind === "point" || question.kind === "region") && "outline" in question.key;

/** The question with another click on the slide for its key: the corner of an outline, or where a point is right. */
export function withKeySpot(question: OnSlide, l0_x: number, l0_y: number): OnSlide {
  const [x, y] = [round(l0_x), round(l0_y)];
  if (isOutlined(question)) return withOutline(question, [...question.key.outline, [x, y]]);
  return { ...question, key: { ...question.key, l0_x: x, l0_y: y } };
}

export const withOutline = (question: Outlined, outline: readonly (readonly number[])[]): OnSlide => ({
  ...question,
  key: { ...question.key, outline },
});

const SIDES = 12; // of an area that begins as a circle

/** A point question whose key is an area in place of a circle, or the other way round; at the same place (QZ11). */
export function withArea(question: Extract<Question, { kind: "point" }>, area: boolean): OnSlide {
  const { key } = question;
  if ("outline" in key) {
    if (area) return question;
    const mean = (axis: number): number => key.outline.reduce((sum, one) => sum + one[axis]!, 0) / key.outline.length;
    const centre = [Number(question.view["l0_x"]) || 0, Number(question.view["l0_y"]) || 0] as const;
    const [x, y] = key.outline.length > 0 ? [mean(0), mean(1)] : centre;
    const distances = key.outline.map(([l0_x, l0_y]) => Math.hypot(l0_x! - x, l0_y! - y));
    return {
      ...question,
      key: { l0_x: round(x), l0_y: round(y), l0_radius: Math.max(1, round(Math.max(...distances, 1))) },
    };
  }
  if (!area) return question;
  const outline = Array.from({ length: SIDES }, (_, i) => {
    const angle = (2 * Math.PI * i) / SIDES;
    return [round(key.l0_x + key.l0_radius * Math.cos(angle)), round(key.l0_y + key.l0_radius * Math.sin(angle))];
  });
  return { ...question, key: { outline } };
}

/** Whether enough is given to save it. */
export function complete(answer: Answer | null): answer is Answer {
  if (answer === null) return false;
  if (answer.kind === "region") return answer.outline.length > 2;
  if (answer.kind === "text") return answer.text.trim() !== "";
  if (answer.kind === "choice") return answer.chosen.length > 0;
  return true;
}

/** What an answer and the key draw over the slide. */
export function shapesOf(kind: Kind, answer: Answer | null, key: Result["key"] | null): readonly Shape[] {
  const shapes: Shape[] = [];
  if (key !== null && typeof key === "object" && "l0_radius" in key)
    shapes.push({ of: "key", corners: [[key.l0_x, key.l0_y]], l0_radius: key.l0_radius });
  if (key !== null && typeof key === "object" && "outline" in key) shapes.push({ of: "key", corners: key.outline });
  if (answer?.kind !== kind) return shapes;
  if (answer.kind === "point") shapes.push({ of: "answer", corners: [[answer.l0_x, answer.l0_y]] });
  if (answer.kind === "region") shapes.push({ of: "answer", corners: answer.outline });
  return shapes;
}

/** The answer with another click on the slide; as it was for kinds that are not answered there. */
export function withSpot(kind: Kind, answer: Answer | null, l0_x: number, l0_y: number): Answer | null {
  const [x, y] = [round(l0_x), round(l0_y)];
  if (kind === "point") return { kind, l0_x: x, l0_y: y };
  if (kind !== "region") return answer;
  return { kind, outline: [...(answer?.kind === "region" ? answer.outline : []), [x, y]] };
}

export const isOnSlide = (kind: Kind): boolean => kind === "point" || kind === "region";

/** What the page shows as the order before anything is moved. */
export function orderOf(question: PaperQuestion, answer: Answer | null): readonly string[] {
  return answer?.kind === "order" ? answer.order : question.options.map(({ id }) => id);
}

/** `1:05` */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
