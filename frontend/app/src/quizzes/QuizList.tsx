import { ActionIcon, Alert, Button, Group, Loader, Stack, Text, Title, Tooltip } from "@mantine/core";
import { IconChartBar, IconPencil, IconPlayerPlay, IconPlus, IconUpload } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import { t } from "@wavescope/core/i18n/i18n";
import { explain } from "@wavescope/core/wire/http/explain";
import { allows } from "@wavescope/core/wire/slides/manifest";
import {
  type Quiz,
  type QuizOwner,
  beginAttempt,
  createQuiz,
  emptyQuiz,
  listQuizzes,
  readQuizFile,
} from "@wavescope/core/wire/catalog/quizzesClient";
import { useMay } from "../accounts/account";
import type { PartProps } from "../microscope/parts";
import { queryClient } from "../state/queries";
import { useQueryParameter } from "../state/router";
import { FileChooser } from "../ui/FileChooser";
import { AttemptView } from "./AttemptView";
import { QuizEditor } from "./QuizEditor";
import { ResultsView } from "./ResultsView";
import { editQuiz, quizState, showResults, takeQuiz } from "./quizState";

/** Quizzes of the slide, or of the case it is looked at in; or the one that is taken or written. */
export function Quizzes(props: PartProps) {
  const { attempt, edited, results } = useStore(quizState);
  if (attempt !== null) return <AttemptView key={attempt} {...props} id={attempt} />;
  if (edited !== null) return <QuizEditor key={edited} {...props} id={edited} />;
  if (results !== null) return <ResultsView key={results} {...props} id={results} />;
  return <QuizList {...props} />;
}

function QuizList({ manifest }: PartProps) {
  const caseId = useQueryParameter("case");
  const annotator = useMay("annotator");
  const mayWrite = annotator && (caseId !== null || allows(manifest, "edit quizzes")); // the service decides on a case's
  const owner: QuizOwner = caseId === null ? { slide: manifest.id } : { case: caseId };
  const quizzes = useQuery({ queryKey: ["quizzes", owner], queryFn: ({ signal }) => listQuizzes(owner, signal) });
  const create = useMutation({
    mutationFn: async (quiz: Quiz | File) =>
      createQuiz(owner, quiz instanceof File ? readQuizFile(await quiz.text()) : quiz),
    onSuccess: ({ id }) => {
      editQuiz(id);
      return queryClient.invalidateQueries({ queryKey: ["quizzes"] });
    },
  });
  const take = useMutation({ mutationFn: beginAttempt, onSuccess: ({ id }) => takeQuiz(id) });
  const error = quizzes.error ?? create.error ?? take.error;
  return (
    <Stack gap="sm" component="section" aria-label={t("quizzes.quizzes")}>
      <Title order={3} size="h6">
        {t("quizzes.quizzes")}
      </Title>
      {quizzes.isPending && <Loader size="sm" aria-label={t("common.loading")} />}
      {quizzes.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("quizzes.none")}
        </Text>
      )}
      {quizzes.data?.map(({ id, title, questions, mode, may_edit }) => (
        <Group key={id} gap={6} wrap="nowrap" data-testid="quiz">
          <Stack gap={0} flex={1} miw={0}>
            <Text size="sm" fw={500} truncate>
              {title}
            </Text>
            <Text size="xs" c="dimmed">
              {t(mode === "exam" ? "quizzes.exam" : "quizzes.practice")} · {t("quizzes.count", { count: questions })}
            </Text>
          </Stack>
          <Tooltip label={t("quizzes.take")}>
            <ActionIcon onClick={() => take.mutate(id)} aria-label={t("quizzes.takeQuiz", { title })}>
              <IconPlayerPlay size={16} />
            </ActionIcon>
          </Tooltip>
          {may_edit && (
            <>
              <Tooltip label={t("quizzes.edit")}>
                <ActionIcon
                  variant="default"
                  onClick={() => editQuiz(id)}
                  aria-label={t("quizzes.editQuiz", { title })}
                >
                  <IconPencil size={16} />
                </ActionIcon>
              </Tooltip>
              <Tooltip label={t("quizzes.results")}>
                <ActionIcon
                  variant="default"
                  onClick={() => showResults(id)}
                  aria-label={t("quizzes.resultsOf", { title })}
                >
                  <IconChartBar size={16} />
                </ActionIcon>
              </Tooltip>
            </>
          )}
        </Group>
      ))}
      {error && <Alert color="red">{explain(error)}</Alert>}
      {mayWrite && (
        <Group gap="xs">
          <Button
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            loading={create.isPending}
            onClick={() => create.mutate(emptyQuiz(t("quizzes.newQuiz")))}
          >
            {t("quizzes.newQuiz")}
          </Button>
          <FileChooser accept="application/json,.json" onChoose={(file) => create.mutate(file)}>
            {(button) => (
              <Button {...button} size="compact-sm" variant="default" leftSection={<IconUpload size={14} />}>
                {t("quizzes.import")}
              </Button>
            )}
          </FileChooser>
        </Group>
      )}
    </Stack>
  );
}
