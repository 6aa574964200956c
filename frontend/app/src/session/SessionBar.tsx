import { ActionIcon, Button, Text, Tooltip } from "@mantine/core";
import { IconHandStop, IconLogout, IconPointer, IconShare, IconUsers } from "@tabler/icons-react";
import { useStore } from "zustand";
import { type Member, groupOf, mayHandOver, memberOf, raisedHands } from "@wavescope/core/session/state";
import { showPanel, togglePanel } from "../microscope/panelState";
import { SessionStatus } from "./SessionStatus";
import { leaveOrEnd, toggleHand } from "./state/actions";
import { showDialog } from "./state/dialogs";
import { laser, toggleLaser } from "./state/laser";
import { live } from "./state/live";
import { useInSession, useParticipant } from "./state/useSession";
import styles from "./session.module.css";
import { KeyTooltip } from "../ui/keys/KeyTooltip";
import { t } from "@wavescope/core/i18n/i18n";

/** The strip under the top bar for as long as this window is in a session: how it stands, and what one does most. `floating`: at the foot of other pages. */
export function SessionBar({ floating = false }: { readonly floating?: boolean }) {
  const participant = useParticipant();
  const inside = useInSession();
  const here = useStore(live, (state) => state.live);
  if (!here || here.recording) return null;
  const present = participant?.session.members.filter((member) => member.present) ?? [];
  const queue = participant ? raisedHands(participant.whole) : [];
  const hands = queue.length;
  const group = participant && groupOf(participant.whole, participant.you);
  const raised = participant ? memberOf(participant.session, participant.you)?.hand != null : false;
  const count =
    hands > 0
      ? t("session.hereWithHands", { count: present.length, hands })
      : t("session.here", { count: present.length });
  return (
    <section
      className={`${styles.bar} ${floating ? styles.floating : ""}`}
      aria-label={t("session.liveSession")}
      data-testid="session-bar"
    >
      {inside && participant?.session.recording && (
        <span className={styles.recording} data-testid="recording-light">
          <span className={styles.light} aria-hidden="true" />
          {t("session.rec")}
        </span>
      )}
      {inside && group && (
        <Text size="sm" fw={600} truncate data-testid="session-own-group">
          {group.name}
        </Text>
      )}
      <SessionStatus />
      <span className={styles.rest} />
      {participant && inside && !floating && (
        <>
          {mayHandOver(participant.whole, participant.you) && <RaisedHands members={queue} />}
          <BarButton
            label={raised ? t("session.lowerYourHand") : t("session.raiseYourHand")}
            command="session.hand"
            name={t("session.raisedHand")}
            pressed={raised}
            icon={<IconHandStop size={18} />}
            onClick={toggleHand}
          />
          <LaserButton />
          <Tooltip label={count}>
            <Button
              variant="subtle"
              color="gray"
              size="compact-md"
              leftSection={<IconUsers size={18} />}
              onClick={() => togglePanel("session")}
              aria-label={t("session.peopleAndNotes", { count })}
              data-testid="session-people"
            >
              {present.length}
              {hands > 0 && <IconHandStop size={14} className={styles.handMark} />}
            </Button>
          </Tooltip>
          <BarButton
            label={t("session.inviteHere")}
            icon={<IconShare size={18} />}
            onClick={() => showDialog("share")}
          />
          <BarButton label={t("session.leaveSession")} icon={<IconLogout size={18} />} onClick={leaveOrEnd} />
        </>
      )}
    </section>
  );
}

/** Who asks for the word, by name, for as long as it is not given. */
function RaisedHands({ members }: { readonly members: readonly Member[] }) {
  const [first, ...others] = members;
  if (!first) return null;
  return (
    <Tooltip label={members.map((member) => member.name).join(", ")}>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<IconHandStop size={16} />}
        aria-label={members.map((member) => t("session.handRaised", { name: member.name })).join(", ")}
        onClick={() => showPanel("session")}
        className={styles.hands}
        data-testid="raised-hands"
      >
        {others.length > 0 ? t("session.nameAndOthers", { name: first.name, count: others.length }) : first.name}
      </Button>
    </Tooltip>
  );
}

function LaserButton() {
  const { on } = useStore(laser);
  return (
    <BarButton
      label={on ? t("session.laserOff") : t("session.laserPointer")}
      name={t("session.laserPointer")}
      command="session.laser"
      pressed={on}
      icon={<IconPointer size={18} />}
      onClick={toggleLaser}
    />
  );
}

interface BarButtonProps {
  readonly label: string;
  readonly name?: string;
  /** Id of the command that does the same. */
  readonly command?: string;
  readonly pressed?: boolean;
  readonly icon: React.ReactNode;
  readonly onClick: () => void;
}

function BarButton({ label, name = label, command, pressed, icon, onClick }: BarButtonProps) {
  return (
    <KeyTooltip label={label} commands={command ? [command] : []}>
      <ActionIcon
        variant={pressed ? "filled" : "subtle"}
        color={pressed ? undefined : "gray"}
        size="lg"
        aria-label={name}
        aria-pressed={pressed}
        onClick={onClick}
      >
        {icon}
      </ActionIcon>
    </KeyTooltip>
  );
}
