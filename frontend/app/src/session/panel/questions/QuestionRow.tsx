import { Button, Group, Text } from "@mantine/core";
import { IconArrowBigUp, IconArrowBigUpFilled } from "@tabler/icons-react";
import { type Question, follows, mayHandOver, memberOf } from "@wavescope/core/session/state";
import { dateLabel } from "../../../ui/dates";
import { notifyWithUndo } from "../../../ui/notice";
import { type Participant, operate } from "../../state/live";
import { useClient } from "../../state/useSession";
import { goToPlace } from "./pendingPlace";
import styles from "../../session.module.css";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly question: Question;
  readonly participant: Participant;
}

/** One question: voted for by others, answered and hidden by presenter and owner, taken back by its asker. */
export function QuestionRow({ question, participant: { session, you, following } }: Props) {
  const { id, text, place, by, asked, votes, answered } = question;
  const own = useClient((client) => client.own.questions.includes(id));
  const voted = useClient((client) => client.own.votes.includes(id));
  const answers = mayHandOver(session, you);
  const known = place !== null && session.slides.some((slide) => slide.id === place.slide);
  const asker = by === null ? t("session.questionUnnamed") : (memberOf(session, by)?.name ?? t("session.someone"));
  const hide = (): void => {
    operate({ type: "hide-question", question: id, hidden: true });
    notifyWithUndo(t("session.questionHidden"), () => operate({ type: "hide-question", question: id, hidden: false }));
  };
  return (
    <li className={styles.poll} data-testid="session-question" data-answered={answered}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Button
          variant={voted ? "light" : "default"}
          size="compact-sm"
          className={styles.act}
          leftSection={voted ? <IconArrowBigUpFilled size={16} /> : <IconArrowBigUp size={16} />}
          aria-label={t("session.questionVote", { text, count: votes })}
          aria-pressed={voted}
          disabled={own}
          onClick={() => operate({ type: "vote-question", question: id, vote: !voted })}
        >
          {votes}
        </Button>
        <div className={styles.asked}>
          <Text size="sm">{text}</Text>
          <Text size="xs" c="dimmed">
            {[own ? t("session.questionYours") : asker, dateLabel(asked, "clock")].join(" · ")}
          </Text>
        </div>
      </Group>
      <Group gap={6} mt={6}>
        {known && !follows(session, you, following) && (
          <Button variant="default" size="compact-sm" onClick={() => goToPlace(place)}>
            {t("session.questionGo")}
          </Button>
        )}
        {answers && (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => operate({ type: "answer-question", question: id, answered: !answered })}
          >
            {answered ? t("session.questionReopen") : t("session.questionMarkAnswered")}
          </Button>
        )}
        {answers && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={hide}>
            {t("session.questionHide")}
          </Button>
        )}
        {own && (
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            onClick={() => operate({ type: "delete-question", question: id })}
          >
            {t("common.delete")}
          </Button>
        )}
      </Group>
    </li>
  );
}
