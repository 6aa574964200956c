import { ActionIcon, Alert, Button, Group, Loader, Stack, Table, Text, Title, Tooltip } from "@mantine/core";
import { IconArrowLeft, IconDownload, IconFocus2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import { type QuizResults, readResults, resultsFile } from "@wavescope/core/wire/catalog/quizzesClient";
import { explain } from "@wavescope/core/wire/http/explain";
import type { PartProps } from "../microscope/parts";
import { caseQuery, navigate, slidePath } from "../state/router";
import { clicksOf, shown } from "./results";
import { Marking } from "./Marking";
import { NotBegun } from "./NotBegun";
import { closeQuiz } from "./quizState";
import { Shapes } from "./Shapes";

/** Results per question and per person, with all clicks of a point question over the slide. */
export function ResultsView({ id, ...props }: PartProps & { readonly id: string }) {
  const query = useQuery({ queryKey: ["quiz-results", id], queryFn: ({ signal }) => readResults(id, signal) });
  const { data, error } = query;
  return (
    <Stack gap="sm" component="section" aria-label={t("quizzes.results")} data-testid="quiz-results">
      <Group justify="space-between">
        <Button variant="subtle" size="compact-sm" leftSection={<IconArrowLeft size={14} />} onClick={closeQuiz}>
          {t("quizzes.allQuizzes")}
        </Button>
        <Button
          component="a"
          href={resultsFile(id)}
          download
          variant="default"
          size="compact-sm"
          leftSection={<IconDownload size={14} />}
        >
          {t("quizzes.exportResults")}
        </Button>
      </Group>
      {error && <Alert color="red">{explain(error)}</Alert>}
      {query.isPending && <Loader size="sm" aria-label={t("common.loading")} />}
      {data && (
        <>
          <Text fw={600}>{data.title}</Text>
          <Text size="xs" c="dimmed">
            {t("quizzes.finishedAttempts", { count: data.finished })}
          </Text>
          <NotBegun quiz={id} />
          <Marking quiz={id} results={data} />
          <Questions {...props} results={data} />
          <People results={data} />
        </>
      )}
    </Stack>
  );
}

type ResultsProps = { readonly results: QuizResults };

function Questions({ microscope, manifest, results }: PartProps & ResultsProps) {
  const [clicksAt, setClicksAt] = useState<string | null>(null);
  const chosen = results.questions.find(({ id }) => id === clicksAt);
  return (
    <>
      <Title order={4} size="h6">
        {t("quizzes.perQuestion")}
      </Title>
      {chosen && chosen.slide === manifest.id && <Shapes microscope={microscope} shapes={clicksOf(results, chosen)} />}
      <Table.ScrollContainer minWidth={0} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table fz="xs" horizontalSpacing={6} aria-label={t("quizzes.perQuestion")}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("quizzes.questionHead")}</Table.Th>
              <Table.Th title={t("quizzes.difficultyMeans")}>{t("quizzes.difficulty")}</Table.Th>
              <Table.Th title={t("quizzes.discriminationMeans")}>{t("quizzes.discrimination")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {results.questions.map((question, i) => (
              <Table.Tr key={question.id} data-testid="question-result">
                <Table.Td>
                  <Group gap={4} wrap="nowrap">
                    {question.kind === "point" && (
                      <Tooltip label={t("quizzes.showClicks")}>
                        <ActionIcon
                          size="sm"
                          variant={clicksAt === question.id ? "filled" : "default"}
                          aria-pressed={clicksAt === question.id}
                          aria-label={t("quizzes.clicksOf", { name: t("quizzes.question", { place: i + 1 }) })}
                          onClick={() => {
                            setClicksAt(clicksAt === question.id ? null : question.id);
                            if (question.slide !== null && question.slide !== manifest.id)
                              navigate(slidePath(question.slide), caseQuery());
                          }}
                        >
                          <IconFocus2 size={14} />
                        </ActionIcon>
                      </Tooltip>
                    )}
                    <Text size="xs" lineClamp={4}>
                      {i + 1}. {question.text}
                    </Text>
                  </Group>
                </Table.Td>
                <Table.Td>{shown(question.difficulty)}</Table.Td>
                <Table.Td>{shown(question.discrimination)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="xs" c="dimmed">
        {t("quizzes.difficultyMeans")} {t("quizzes.discriminationMeans")}
      </Text>
    </>
  );
}

function People({ results: { attempts, questions, of_points } }: ResultsProps) {
  return (
    <>
      <Title order={4} size="h6">
        {t("quizzes.perPerson")}
      </Title>
      <Table.ScrollContainer minWidth={0} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table fz="xs" horizontalSpacing={6} aria-label={t("quizzes.perPerson")}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("quizzes.person")}</Table.Th>
              <Table.Th>{t("quizzes.pointsLabel")}</Table.Th>
              {questions.map(({ id, text }, i) => (
                <Table.Th key={id} title={text}>
                  {i + 1}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {attempts.map(({ attempt_id, name, number, over, waiting, points, shares }) => (
              <Table.Tr key={attempt_id} data-testid="attempt-result">
                <Table.Td>
                  {name || t("quizzes.localUser")}
                  {number > 1 && ` (${number})`}
                </Table.Td>
                <Table.Td>
                  {!over
                    ? t("quizzes.running")
                    : waiting > 0
                      ? t("quizzes.waiting")
                      : `${shown(points)} / ${shown(of_points)}`}
                </Table.Td>
                {questions.map((question) => {
                  const share = shares[question.id] ?? null;
                  return (
                    <Table.Td key={question.id}>{shown(share === null ? null : share * question.points)}</Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}
