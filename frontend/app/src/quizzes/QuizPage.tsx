import { Alert, Button, Card, Center, Loader, Stack, Text, Title } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { t } from "@wavescope/core/i18n/i18n";
import { type QuizSummary, beginAttempt, readQuizSummary } from "@wavescope/core/wire/catalog/quizzesClient";
import { isRefusal } from "@wavescope/core/wire/http/errors";
import { explain } from "@wavescope/core/wire/http/explain";
import { useAccount } from "../accounts/account";
import { showPanel } from "../microscope/panelState";
import { casePath, navigate, slidePath } from "../state/router";
import { ErrorPage } from "../ui/ErrorPage";
import { usePageTitle } from "../ui/usePageTitle";
import { takeQuiz } from "./quizState";

/** The link of a quiz: says what it is, and begins it or goes on with it (QZ26). */
export function QuizPage({ id }: { readonly id: string }) {
  const { data: quiz, error } = useQuery({
    queryKey: ["quizzes", { id }],
    queryFn: ({ signal }) => readQuizSummary(id, signal),
  });
  usePageTitle(quiz?.title ?? t("quizzes.quiz"));
  const accounts = useAccount()?.mode === "accounts";
  if (isRefusal(error))
    return (
      <ErrorPage title={t("quizzes.notFound")} reason={t(accounts ? "quizzes.goneOrNotShared" : "ui.mayBeDeleted")} />
    );
  return (
    <Center component="main" mih="100dvh" p="md">
      {quiz ? (
        <Start quiz={quiz} />
      ) : error ? (
        <Alert color="red">{explain(error)}</Alert>
      ) : (
        <Loader aria-label={t("common.loading")} />
      )}
    </Center>
  );
}

function Start({ quiz: { id, title, mode, questions, seconds, slide_id, case_id } }: { readonly quiz: QuizSummary }) {
  const take = useMutation({
    mutationFn: beginAttempt,
    onSuccess: (attempt) => {
      takeQuiz(attempt.id);
      showPanel("tours");
      const slide = attempt.questions[0]?.slide ?? slide_id;
      if (slide !== null) navigate(slidePath(slide), case_id === null ? {} : { case: case_id }, { replace: true });
      else if (case_id !== null) navigate(casePath(case_id), {}, { replace: true });
    },
  });
  const exam = mode === "exam";
  return (
    <Card withBorder maw={420} w="100%">
      <Stack gap="sm">
        <Title order={1} size="h4">
          {title}
        </Title>
        <Text size="sm">
          {t(exam ? "quizzes.exam" : "quizzes.practice")} · {t("quizzes.count", { count: questions })}
          {seconds !== null && ` · ${t("quizzes.minutesGiven", { count: Math.ceil(seconds / 60) })}`}
        </Text>
        <Text size="sm" c="dimmed">
          {t(exam ? "quizzes.examMeans" : "quizzes.practiceMeans")}
        </Text>
        {take.error && <Alert color="red">{explain(take.error)}</Alert>}
        <Button
          leftSection={<IconPlayerPlay size={16} />}
          loading={take.isPending}
          disabled={questions === 0}
          onClick={() => take.mutate(id)}
        >
          {t("quizzes.start")}
        </Button>
      </Stack>
    </Card>
  );
}
