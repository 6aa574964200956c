import { Alert, Button, Checkbox, Group, Radio, Spoiler, Stack, Text, Textarea } from "@mantine/core";
import { useReducedMotion } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import type { Answer, Attempt, PaperQuestion, Result } from "@wavescope/core/wire/catalog/quizzesClient";
import { showView } from "@wavescope/viewer/view/view";
import type { PartProps } from "../microscope/parts";
import { caseQuery, navigate, slidePath } from "../state/router";
import { viewOf } from "../tours/view";
import { MarkdownText } from "../ui/MarkdownText";
import { CentreButton } from "./CentreButton";
import { OrderList } from "./OrderList";
import { complete, isOnSlide, orderOf, shapesOf, withSpot } from "./questions";
import { Shapes, usePicking } from "./Shapes";
import { NumberInput } from "../ui/NumberInput";

interface Props extends PartProps {
  readonly attempt: Attempt;
  readonly question: PaperQuestion;
  readonly place: number;
  readonly saving: boolean;
  readonly onAnswer: (answer: Answer) => void;
}

/** One question: its text, what is answered, and what was right once that may be seen. */
export function QuestionView({ microscope, manifest, attempt, question, place, saving, onAnswer }: Props) {
  const { id, kind } = question;
  const stored = attempt.answers[id] ?? null;
  const result = attempt.results[id];
  const [draft, setDraft] = useState<Answer | null>(stored);
  const here = question.slide === manifest.id;
  const locked = attempt.over || result !== undefined;
  const practice = attempt.mode === "practice";
  useMove(microscope, manifest.id, question);
  const change = (answer: Answer | null): void => {
    setDraft(answer);
    if (!practice && complete(answer) && (kind === "choice" || kind === "point")) onAnswer(answer);
  };
  const spot = (l0_x: number, l0_y: number): void => change(withSpot(kind, draft, l0_x, l0_y));
  usePicking(microscope, here && !locked && isOnSlide(kind), spot);
  const ready = kind === "order" ? { kind, order: [...orderOf(question, draft)] } : draft;
  const saved = JSON.stringify(ready) === JSON.stringify(stored);
  return (
    <Stack gap="sm" data-testid="question" data-saved={saved}>
      <Text size="xs" c="dimmed">
        {t("quizzes.questionOf", { place: place + 1, total: attempt.questions.length })} ·{" "}
        {t("quizzes.points", { count: question.points })}
      </Text>
      <MarkdownText text={question.text} />
      {question.hint && (
        <Spoiler maxHeight={0} showLabel={t("quizzes.showHint")} hideLabel={t("quizzes.hideHint")}>
          <MarkdownText text={question.hint} />
        </Spoiler>
      )}
      {here && <Shapes microscope={microscope} shapes={shapesOf(kind, draft, result?.key ?? null)} />}
      <Given question={question} draft={draft} locked={locked} result={result} onChange={change} />
      {isOnSlide(kind) && !locked && (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {t(kind === "point" ? "quizzes.clickPoint" : "quizzes.clickCorners")}
          </Text>
          <CentreButton microscope={microscope} size="compact-sm" onSpot={spot} />
          {draft?.kind === "region" && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => setDraft({ ...draft, outline: draft.outline.slice(0, -1) })}
            >
              {t("quizzes.removeCorner")}
            </Button>
          )}
        </Group>
      )}
      {!locked && (
        <Button
          size="compact-md"
          disabled={!complete(ready) || saved}
          loading={saving}
          onClick={() => complete(ready) && onAnswer(ready)}
        >
          {t(saved && stored ? "common.saved" : practice ? "quizzes.check" : "quizzes.saveAnswer")}
        </Button>
      )}
      {result && <Feedback result={result} waiting={kind === "text" && stored !== null} />}
    </Stack>
  );
}

interface GivenProps {
  readonly question: PaperQuestion;
  readonly draft: Answer | null;
  readonly locked: boolean;
  readonly result: Result | undefined;
  readonly onChange: (answer: Answer | null) => void;
}

/** What is answered in the panel. */
function Given({ question, draft, locked, result, onChange }: GivenProps) {
  const { kind, options, text } = question;
  const right = Array.isArray(result?.key) ? result.key : [];
  const label = (id: string, name: string): string =>
    result && kind === "choice" && right.includes(id) ? t("quizzes.isRight", { name }) : name;
  if (kind === "choice") {
    const chosen = draft?.kind === "choice" ? draft.chosen : [];
    return question.multiple ? (
      <Checkbox.Group
        aria-label={text || t("quizzes.answer")}
        value={[...chosen]}
        onChange={(ids) => onChange({ kind, chosen: ids })}
      >
        <Stack gap="xs">
          {options.map((one) => (
            <Checkbox key={one.id} value={one.id} label={label(one.id, one.text)} disabled={locked} />
          ))}
        </Stack>
      </Checkbox.Group>
    ) : (
      <Radio.Group
        aria-label={text || t("quizzes.answer")}
        value={chosen[0] ?? null}
        onChange={(one) => onChange({ kind, chosen: [one] })}
      >
        <Stack gap="xs">
          {options.map((one) => (
            <Radio key={one.id} value={one.id} label={label(one.id, one.text)} disabled={locked} />
          ))}
        </Stack>
      </Radio.Group>
    );
  }
  if (kind === "number")
    return (
      <NumberInput
        label={question.unit ? t("quizzes.answerIn", { unit: question.unit }) : t("quizzes.answer")}
        description={
          typeof result?.key === "object" && "tolerance" in result.key
            ? t("quizzes.rightNumber", { value: result.key.value, tolerance: result.key.tolerance ?? 0 })
            : undefined
        }
        value={draft?.kind === "number" ? draft.value : ""}
        disabled={locked}
        onChange={(value) => onChange(typeof value === "number" ? { kind, value } : null)}
      />
    );
  if (kind === "text")
    return (
      <>
        <Textarea
          label={t("quizzes.answer")}
          autosize
          minRows={3}
          maxRows={16}
          maxLength={20_000}
          value={draft?.kind === "text" ? draft.text : ""}
          disabled={locked}
          onChange={({ currentTarget: { value } }) => onChange({ kind, text: value })}
        />
        {typeof result?.key === "string" && result.key && (
          <Text size="sm">{t("quizzes.modelAnswerIs", { text: result.key })}</Text>
        )}
      </>
    );
  if (kind === "order") {
    const texts = new Map(options.map((one) => [one.id, one.text]));
    const items = (ids: readonly string[]) => ids.map((id) => ({ id, text: texts.get(id) ?? "" }));
    return (
      <>
        <OrderList
          items={items(orderOf(question, draft))}
          disabled={locked}
          onOrder={(order) => onChange({ kind, order: [...order] })}
        />
        {result && (
          <Text size="sm">
            {t("quizzes.rightOrder", {
              order: items(right)
                .map((one) => one.text)
                .join(", "),
            })}
          </Text>
        )}
      </>
    );
  }
  return null;
}

/** `waiting`: without a share, it is not marked yet. */
function Feedback({ result, waiting }: { readonly result: Result; readonly waiting: boolean }) {
  const { share, feedback, comment } = result;
  const right = share === 1;
  const words =
    share === null
      ? t(waiting ? "quizzes.waiting" : "quizzes.notAnswered")
      : right
        ? t("quizzes.right")
        : share > 0
          ? t("quizzes.partly")
          : t("quizzes.wrong");
  return (
    <Alert color={right ? "green" : "yellow"} title={words} role="status" data-testid="feedback">
      <MarkdownText text={feedback} />
      {comment && <Text size="sm">{t("quizzes.commentIs", { text: comment })}</Text>}
    </Alert>
  );
}

/** Goes to the question's slide and view when it becomes another question. */
function useMove(microscope: PartProps["microscope"], slide: string, question: PaperQuestion): void {
  const still = useReducedMotion(false, { getInitialValueInEffect: false });
  useEffect(() => {
    const view = viewOf(question.view);
    if (question.slide !== null && question.slide !== slide) navigate(slidePath(question.slide), caseQuery());
    else if (view) showView(microscope, view, still);
    // the attempt is answered anew with each answer: only another question is a reason to move
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [microscope, slide, question.id]);
}
