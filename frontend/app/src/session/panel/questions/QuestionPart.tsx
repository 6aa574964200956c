import { Button, Group, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { sortedQuestions } from "@wavescope/core/session/state";
import { readView, showView } from "@wavescope/viewer/view/view";
import type { PartProps } from "../../../microscope/parts";
import type { Participant } from "../../state/live";
import { Earlier } from "../Earlier";
import { Heading } from "../Heading";
import { AskQuestionForm } from "./AskQuestionForm";
import { QuestionRow } from "./QuestionRow";
import { pendingPlace, takePlace } from "./pendingPlace";
import styles from "../../session.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** The questions of the members, those with the most votes first; answered ones on request. */
export function QuestionPart({ microscope, manifest, ...participant }: Participant & PartProps) {
  const { session } = participant;
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    const show = (): void => {
      const place = takePlace(manifest.id);
      if (place) showView(microscope, { ...place.view, adjustments: readView(microscope).adjustments });
    };
    show(); // this slide was opened for a place on it
    return pendingPlace.subscribe(show);
  }, [microscope, manifest]);
  const questions = sortedQuestions(session);
  const answered = questions.filter((one) => one.answered);
  const open = questions.filter((one) => !one.answered);
  return (
    <Stack gap="xs" data-testid="session-questions">
      <Group justify="space-between">
        <Heading>{t("session.questions")}</Heading>
        {!asking && (
          <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
            {t("session.questionAsk")}
          </Button>
        )}
      </Group>
      {asking && <AskQuestionForm microscope={microscope} slide={manifest.id} onClose={() => setAsking(false)} />}
      {open.length === 0 && !asking && (
        <Text size="sm" c="dimmed">
          {t("session.questionNone")}
        </Text>
      )}
      {open.length > 0 && (
        <ol className={styles.list} aria-label={t("session.questions")}>
          {open.map((question) => (
            <QuestionRow key={question.id} question={question} participant={participant} />
          ))}
        </ol>
      )}
      {answered.length > 0 && (
        <Earlier label={t("session.questionsAnswered", { count: answered.length })}>
          <ol className={styles.list} aria-label={t("session.questionsAnswered", { count: answered.length })}>
            {answered.map((question) => (
              <QuestionRow key={question.id} question={question} participant={participant} />
            ))}
          </ol>
        </Earlier>
      )}
    </Stack>
  );
}
