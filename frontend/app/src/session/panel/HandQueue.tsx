import { ActionIcon, Button, Group, Stack, Tooltip } from "@mantine/core";
import { IconHandOff, IconPresentation } from "@tabler/icons-react";
import { type Member, mayHandOver, raisedHands } from "@wavescope/core/session/state";
import { Heading } from "./Heading";
import { type Participant, operate } from "../state/live";
import styles from "../session.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** Who asks for the word, in the order in which the hands were raised; presenter and owner answer them one by one, or lower all. */
export function HandQueue({ session, you }: Pick<Participant, "session" | "you">) {
  const queue = raisedHands(session);
  if (queue.length === 0) return null;
  const answers = mayHandOver(session, you);
  return (
    <Stack gap={4} data-testid="hand-queue">
      <Group justify="space-between" wrap="nowrap">
        <Heading>{t("session.handQueue", { count: queue.length })}</Heading>
        {answers && (
          <Button flex="none" variant="default" size="compact-sm" onClick={() => operate({ type: "lower-hands" })}>
            {t("session.lowerAllHands")}
          </Button>
        )}
      </Group>
      <ol className={styles.list} aria-label={t("session.handQueueLabel")}>
        {queue.map((member, i) => (
          <HandRow key={member.id} member={member} place={i + 1} own={member.id === you} answers={answers} />
        ))}
      </ol>
    </Stack>
  );
}

interface HandRowProps {
  readonly member: Member;
  readonly place: number;
  readonly own: boolean;
  readonly answers: boolean;
}

function HandRow({ member: { id, name, color }, place, own, answers }: HandRowProps) {
  return (
    <li className={styles.member} data-hand={id}>
      <span className={styles.place}>{place}</span>
      <span className={styles.swatch} style={{ background: color }} aria-hidden="true" />
      <span className={styles.name} title={name}>
        {own ? t("session.membersMarked", { name, marks: t("session.memberYou") }) : name}
      </span>
      {answers && !own && (
        <HandAction
          label={t("session.handOverTo", { name })}
          icon={<IconPresentation size={18} />}
          onClick={() => operate({ type: "present", member: id })}
        />
      )}
      {(answers || own) && (
        <HandAction
          label={t("session.lowerHandOf", { name })}
          icon={<IconHandOff size={18} />}
          onClick={() => operate({ type: "hand", member: id, raised: false })}
        />
      )}
    </li>
  );
}

function HandAction({
  label,
  icon,
  onClick,
}: {
  readonly label: string;
  readonly icon: React.ReactNode;
  readonly onClick: () => void;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
