import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconHandStop, IconLogout, IconPointer, IconShare, IconUsers } from "@tabler/icons-react";
import { useStore } from "zustand";
import { memberOf } from "../../session/state";
import { togglePanel } from "../microscope/panelState";
import { SessionStatus } from "./SessionStatus";
import { leaveOrEnd, toggleHand } from "./state/actions";
import { showDialog } from "./state/dialogs";
import { laser, toggleLaser } from "./state/laser";
import { live } from "./state/live";
import { useInSession, useParticipant } from "./state/useSession";
import styles from "./session.module.css";
import { t } from "../../i18n/i18n";

/** The strip under the top bar for as long as this window is in a session: how it stands, and what one does most. `floating`: at the foot of other pages. */
export function SessionBar({ floating = false }: { readonly floating?: boolean }) {
  const participant = useParticipant();
  const inside = useInSession();
  const here = useStore(live, (state) => state.live);
  if (!here || here.recording) return null;
  const present = participant?.session.members.filter((member) => member.present) ?? [];
  const hands = present.filter(({ hand }) => hand !== null).length;
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
      {participant?.session.recording && (
        <span className={styles.recording} data-testid="recording-light">
          <span className={styles.light} aria-hidden="true" />
          {t("session.rec")}
        </span>
      )}
      <SessionStatus />
      <span className={styles.rest} />
      {participant && inside && !floating && (
        <>
          <BarButton
            label={raised ? t("session.lowerHandWithKey") : t("session.raiseHandWithKey")}
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

function LaserButton() {
  const { on } = useStore(laser);
  return (
    <BarButton
      label={on ? t("session.laserOffWithKey") : t("session.laserWithKey")}
      name={t("session.laserPointer")}
      pressed={on}
      icon={<IconPointer size={18} />}
      onClick={toggleLaser}
    />
  );
}

interface BarButtonProps {
  readonly label: string;
  readonly name?: string;
  readonly pressed?: boolean;
  readonly icon: React.ReactNode;
  readonly onClick: () => void;
}

function BarButton({ label, name = label, pressed, icon, onClick }: BarButtonProps) {
  return (
    <Tooltip label={label}>
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
    </Tooltip>
  );
}
