import { Alert, Button, Group, Loader, Progress, Stack, Text } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { IconArrowLeft, IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useStore } from "zustand";
import { t } from "@wavescope/core/i18n/i18n";
import {
  type Answer,
  type Attempt,
  endAttempt,
  readAttempt,
  saveAnswer,
} from "@wavescope/core/wire/catalog/quizzesClient";
import { explain } from "@wavescope/core/wire/http/explain";
import type { PartProps } from "../microscope/parts";
import { AGAIN, errorOf, queryClient } from "../state/queries";
import { ConfirmButton } from "../ui/ConfirmButton";
import { MarkdownText } from "../ui/MarkdownText";
import { QuestionView } from "./QuestionView";
import { clock } from "./questions";
import { closeQuiz, quizState } from "./quizState";

/** Sent again until the service answers, and one after the other: the last answer given is the one that stays, and an attempt ends after
 * its answers.
 */
const untilAnswered = (attempt: string) => ({ ...AGAIN, scope: { id: attempt } });

/** A quiz that is taken, or was. Every answer is the service's at once. */
export function AttemptView({ id, ...props }: PartProps & { readonly id: string }) {
  const query = useQuery({
    queryKey: ["attempt", id],
    queryFn: async ({ signal }) => ({ attempt: await readAttempt(id, signal), received: performance.now() }),
    staleTime: Infinity,
  });
  if (query.data) return <Taken {...props} {...query.data} reload={() => void query.refetch()} />;
  return query.error ? (
    <Alert color="red">
      {explain(query.error)}{" "}
      <Button size="compact-xs" variant="default" onClick={closeQuiz}>
        {t("quizzes.allQuizzes")}
      </Button>
    </Alert>
  ) : (
    <Loader size="sm" aria-label={t("common.loading")} />
  );
}

interface TakenProps extends PartProps {
  readonly attempt: Attempt;
  /** When the service answered it, by the clock of the page. */
  readonly received: number;
  readonly reload: () => void;
}

function Taken({ microscope, manifest, attempt, received, reload }: TakenProps) {
  const { at } = useStore(quizState);
  const show = (answered: Attempt): void =>
    void queryClient.setQueryData(["attempt", attempt.id], { attempt: answered, received: performance.now() });
  const save = useMutation({
    mutationFn: ({ question, answer }: { question: string; answer: Answer }) =>
      saveAnswer(attempt.id, question, answer),
    ...untilAnswered(attempt.id),
    onSuccess: show,
  });
  const end = useMutation({ mutationFn: () => endAttempt(attempt.id), ...untilAnswered(attempt.id), onSuccess: show });
  const { questions, answers, over } = attempt;
  const place = Math.min(at, questions.length - 1);
  const question = questions[place];
  const given = Object.keys(answers).length;
  const error = errorOf(save) ?? errorOf(end);
  const go = (by: number): void => {
    save.reset();
    quizState.setState({ at: place + by });
  };
  return (
    <Stack gap="sm" component="section" aria-label={attempt.title} data-testid="attempt">
      <Group justify="space-between" wrap="nowrap">
        <Button variant="subtle" size="compact-sm" leftSection={<IconArrowLeft size={14} />} onClick={closeQuiz}>
          {t("quizzes.allQuizzes")}
        </Button>
        {!over && attempt.ends && <TimeLeft attempt={attempt} received={received} onOver={reload} />}
      </Group>
      <Text fw={600}>{attempt.title}</Text>
      {place <= 0 && <MarkdownText text={attempt.text} />}
      <Progress value={(100 * given) / Math.max(1, questions.length)} aria-label={t("quizzes.progress")} />
      <Text size="xs" c="dimmed" role="status" data-testid="attempt-progress">
        {over && attempt.waiting > 0
          ? t("quizzes.overWaiting", { count: attempt.waiting })
          : over
            ? t("quizzes.over", { points: Math.round((attempt.points ?? 0) * 100) / 100, total: attempt.of_points })
            : t("quizzes.answered", { given, total: questions.length })}
      </Text>
      {question && (
        <QuestionView
          key={question.id}
          microscope={microscope}
          manifest={manifest}
          attempt={attempt}
          question={question}
          place={place}
          saving={save.isPending}
          onAnswer={(answer) => save.mutate({ question: question.id, answer })}
        />
      )}
      {error && <Alert color="red">{explain(error)}</Alert>}
      <Group justify="space-between">
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconChevronLeft size={14} />}
          disabled={place <= 0}
          onClick={() => go(-1)}
        >
          {t("quizzes.previous")}
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          rightSection={<IconChevronRight size={14} />}
          disabled={place >= questions.length - 1}
          onClick={() => go(1)}
        >
          {t("quizzes.next")}
        </Button>
      </Group>
      {!over && (
        <ConfirmButton
          label={t("quizzes.finish")}
          confirmLabel={t("quizzes.finishNow")}
          loading={end.isPending}
          onConfirm={() => end.mutate()}
        />
      )}
    </Stack>
  );
}

/** Counts down by the clock of the service: the page's own may be wrong by hours (QZ16). */
function TimeLeft({ attempt, received, onOver }: Pick<TakenProps, "attempt" | "received"> & { onOver: () => void }) {
  const total = (Date.parse(attempt.ends!) - Date.parse(attempt.now)) / 1000;
  const [left, setLeft] = useState(total);
  useInterval(
    () => {
      const seconds = total - (performance.now() - received) / 1000;
      setLeft(seconds);
      if (seconds <= 0) onOver();
    },
    1000,
    { autoInvoke: true },
  );
  return (
    <Text size="sm" ff="monospace" role="timer" aria-label={t("quizzes.timeLeft")} data-testid="time-left">
      {clock(left)}
    </Text>
  );
}
