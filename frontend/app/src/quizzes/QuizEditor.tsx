import {
  Alert,
  Button,
  Checkbox,
  Group,
  Loader,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
  Textarea,
} from "@mantine/core";
import { IconArrowLeft, IconDownload, IconPlus } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useStore } from "zustand";
import { t } from "@wavescope/core/i18n/i18n";
import {
  type Kind,
  type Quiz,
  type StoredQuiz,
  deleteQuiz,
  quizFile,
  readQuiz,
  saveQuiz,
} from "@wavescope/core/wire/catalog/quizzesClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { readView } from "@wavescope/viewer/view/view";
import type { PartProps } from "../microscope/parts";
import { queryClient } from "../state/queries";
import { quizPath } from "../state/router";
import { ConfirmButton } from "../ui/ConfirmButton";
import { CopyLinkButton } from "../ui/CopyLinkButton";
import { QuestionForm } from "./QuestionForm";
import { KINDS, KIND_NAMES, missingIn, newQuestion, withQuestion } from "./questions";
import { closeQuiz, quizState } from "./quizState";
import { moved } from "../ui/order";
import { NumberInput } from "../ui/NumberInput";

/** A quiz that is written beside the slide. What is not saved stays while the tab is open. */
export function QuizEditor({ id, ...props }: PartProps & { readonly id: string }) {
  const query = useQuery({
    queryKey: ["quiz", id],
    queryFn: ({ signal }) => readQuiz(id, signal),
    staleTime: Infinity,
  });
  if (query.data) return <Editor {...props} stored={query.data} />;
  return query.error ? (
    <Alert color="red">{explain(query.error)}</Alert>
  ) : (
    <Loader size="sm" aria-label={t("common.loading")} />
  );
}

function Editor({ microscope, manifest, stored }: PartProps & { readonly stored: StoredQuiz }) {
  const { draft } = useStore(quizState);
  const quiz = draft ?? stored.quiz;
  const change = (part: Partial<Quiz>): void => quizState.setState({ draft: { ...quiz, ...part } });
  const leave = (): Promise<void> => {
    closeQuiz();
    return queryClient.invalidateQueries({ queryKey: ["quizzes"] });
  };
  const save = useMutation({
    mutationFn: () => saveQuiz(stored.id, quiz, stored.revision),
    onSuccess: (answered) => {
      queryClient.setQueryData(["quiz", stored.id], answered);
      if (quizState.getState().draft === quiz || draft === null) quizState.setState({ draft: null });
      return queryClient.invalidateQueries({ queryKey: ["quizzes"] });
    },
  });
  const remove = useMutation({ mutationFn: () => deleteQuiz(stored.id, stored.revision), onSuccess: leave });
  const [kind, setKind] = useState<Kind>("choice");
  const missing = missingIn(quiz);
  const add = (): void => {
    const slide = stored.slideId === manifest.id ? null : manifest.id;
    change({ questions: [...quiz.questions, newQuestion(kind, readView(microscope), slide)] });
  };
  return (
    <Stack gap="sm" component="section" aria-label={t("quizzes.quiz")} data-testid="quiz-editor">
      <Group justify="space-between" wrap="nowrap">
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconArrowLeft size={14} />}
          onClick={() => void leave()}
        >
          {t(draft ? "quizzes.discard" : "quizzes.allQuizzes")}
        </Button>
        <Text size="xs" c="dimmed" role="status" data-testid="quiz-saved" data-saved={draft === null}>
          {t(draft ? "common.notSaved" : "common.saved")}
        </Text>
      </Group>
      <Settings quiz={quiz} change={change} />
      {quiz.questions.map((question, index) => (
        <QuestionForm
          key={question.id}
          microscope={microscope}
          question={question}
          index={index}
          last={quiz.questions.length - 1}
          here={(question.slide ?? stored.slideId) === manifest.id}
          onChange={(changed) => change(withQuestion(quiz, changed))}
          onMove={(by) => change({ questions: moved(quiz.questions, index, index + by) })}
          onRemove={() => change({ questions: quiz.questions.filter(({ id }) => id !== question.id) })}
        />
      ))}
      <Group gap="xs" align="end">
        <Select
          label={t("quizzes.kind")}
          size="xs"
          flex={1}
          miw={200}
          data={KINDS.map((value) => ({ value, label: KIND_NAMES[value] }))}
          value={kind}
          allowDeselect={false}
          onChange={(value) => value && setKind(value)}
        />
        <Button size="xs" leftSection={<IconPlus size={14} />} onClick={add}>
          {t("quizzes.addQuestion")}
        </Button>
      </Group>
      {missing && (
        <Text size="sm" c="red">
          {missing}
        </Text>
      )}
      {(save.error ?? remove.error) && <Alert color="red">{explain(save.error ?? remove.error)}</Alert>}
      <Group gap="xs">
        <Button
          size="compact-sm"
          disabled={draft === null || missing !== null}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          {t("common.save")}
        </Button>
        <CopyLinkButton link={location.origin + quizPath(stored.id)} />
        <Button
          size="compact-sm"
          variant="default"
          component="a"
          href={quizFile(stored.id)}
          download
          leftSection={<IconDownload size={14} />}
        >
          {t("quizzes.export")}
        </Button>
        <ConfirmButton
          label={t("common.delete")}
          confirmLabel={t("quizzes.deleteQuiz")}
          loading={remove.isPending}
          onConfirm={() => remove.mutate()}
        />
      </Group>
    </Stack>
  );
}

function Settings({ quiz, change }: { readonly quiz: Quiz; readonly change: (part: Partial<Quiz>) => void }) {
  const exam = quiz.mode === "exam";
  const numberOf = (value: string | number): number | null => (typeof value === "number" ? value : null);
  return (
    <>
      <TextInput
        label={t("common.title")}
        value={quiz.title}
        maxLength={200}
        onChange={({ currentTarget: { value } }) => change({ title: value })}
      />
      <Textarea
        label={t("quizzes.introduction")}
        autosize
        maxRows={8}
        maxLength={20_000}
        value={quiz.text}
        onChange={({ currentTarget: { value } }) => change({ text: value })}
      />
      <SegmentedControl
        aria-label={t("quizzes.mode")}
        value={quiz.mode}
        data={[
          { value: "practice", label: t("quizzes.practice") },
          { value: "exam", label: t("quizzes.exam") },
        ]}
        onChange={(mode) => change(mode === "exam" ? { mode, attempts: quiz.attempts ?? 1 } : { mode: "practice" })}
      />
      <Text size="xs" c="dimmed">
        {t(exam ? "quizzes.examMeans" : "quizzes.practiceMeans")}
      </Text>
      <Group gap="xs" align="end" grow>
        <NumberInput
          label={t("quizzes.minutes")}
          placeholder={t("quizzes.noLimit")}
          min={1}
          max={1440}
          value={quiz.seconds === null ? "" : quiz.seconds / 60}
          onChange={(value) => {
            const minutes = numberOf(value);
            change({ seconds: minutes === null ? null : Math.max(10, Math.round(minutes * 60)) });
          }}
        />
        <NumberInput
          label={t("quizzes.attempts")}
          placeholder={t("quizzes.noLimit")}
          min={1}
          max={100}
          allowDecimal={false}
          value={quiz.attempts ?? ""}
          onChange={(value) => change({ attempts: numberOf(value) })}
        />
      </Group>
      <Checkbox
        label={t("quizzes.shuffled")}
        checked={quiz.shuffled}
        onChange={({ currentTarget: { checked } }) => change({ shuffled: checked })}
      />
    </>
  );
}
