import { Alert, Button, Group, Paper, Stack, Text, Textarea, Title } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import { type Mark, type QuizResults, markAnswer, readQuiz } from "@wavescope/core/wire/catalog/quizzesClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { queryClient } from "../state/queries";
import { MarkdownText } from "../ui/MarkdownText";
import { type Marked, textsOf } from "./results";
import { NumberInput } from "../ui/NumberInput";

/** The texts that a person marks, one after the other; nothing if there are none. */
export function Marking({ quiz, results }: { readonly quiz: string; readonly results: QuizResults }) {
  const [texts] = useState(() => textsOf(results).map(({ attempt, question }) => `${attempt} ${question.id}`)); // in one order while it is open
  const [at, setAt] = useState(0);
  const marked = textsOf(results).find(({ attempt, question }) => `${attempt} ${question.id}` === texts[at]);
  if (!marked) return null;
  const waiting = textsOf(results).filter(({ points }) => points === null).length;
  return (
    <Paper withBorder p="xs" component="section" aria-label={t("quizzes.marking")} data-testid="marking">
      <Title order={4} size="h6">
        {t("quizzes.marking")}
      </Title>
      <Text size="xs" c="dimmed" role="status" data-testid="marking-left">
        {t("quizzes.textOfTexts", { place: at + 1, total: texts.length })} · {t("quizzes.toMark", { count: waiting })}
      </Text>
      <MarkForm key={texts[at]} quiz={quiz} marked={marked} onSaved={() => setAt(Math.min(at + 1, texts.length - 1))} />
      <Group justify="space-between" mt="xs">
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconChevronLeft size={14} />}
          disabled={at === 0}
          onClick={() => setAt(at - 1)}
        >
          {t("quizzes.previous")}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          rightSection={<IconChevronRight size={14} />}
          disabled={at >= texts.length - 1}
          onClick={() => setAt(at + 1)}
        >
          {t("quizzes.next")}
        </Button>
      </Group>
    </Paper>
  );
}

interface FormProps {
  readonly quiz: string;
  readonly marked: Marked;
  readonly onSaved: () => void;
}

function MarkForm({ quiz, marked, onSaved }: FormProps) {
  const { attempt, question, name, text } = marked;
  const [points, setPoints] = useState<number | null>(marked.points);
  const [comment, setComment] = useState(marked.comment);
  const stored = useQuery({ queryKey: ["quiz", quiz], queryFn: ({ signal }) => readQuiz(quiz, signal) });
  const key = stored.data?.quiz.questions.find(({ id }) => id === question.id)?.key;
  const save = useMutation({
    mutationFn: (mark: Mark) => markAnswer(quiz, attempt, question.id, mark),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["quiz-results", quiz] });
      onSaved();
    },
  });
  return (
    <Stack gap={6} mt={6}>
      <MarkdownText text={question.text} />
      <Text size="xs" c="dimmed">
        {name || t("quizzes.localUser")}
      </Text>
      <Text size="sm" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }} data-testid="marked-text">
        {text}
      </Text>
      {typeof key === "string" && key && (
        <Text size="sm" c="dimmed" style={{ whiteSpace: "pre-wrap" }}>
          {t("quizzes.modelAnswerIs", { text: key })}
        </Text>
      )}
      <NumberInput
        size="xs"
        label={t("quizzes.pointsOf", { total: question.points })}
        min={0}
        max={question.points}
        value={points ?? ""}
        onChange={(value) => setPoints(typeof value === "number" ? value : null)}
      />
      <Textarea
        size="xs"
        label={t("quizzes.comment")}
        autosize
        maxRows={8}
        maxLength={20_000}
        value={comment}
        onChange={({ currentTarget: { value } }) => setComment(value)}
      />
      {save.error && <Alert color="red">{explain(save.error)}</Alert>}
      <Button
        size="compact-sm"
        disabled={points === null}
        loading={save.isPending}
        onClick={() => points !== null && save.mutate({ points: Math.min(points, question.points), comment })}
      >
        {t("quizzes.saveMark")}
      </Button>
    </Stack>
  );
}
