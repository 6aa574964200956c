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
import { useSeat } from "./state/useSession";
import styles from "./session.module.css";

/** The strip under the top bar for as long as this window is in a session: how it stands, and what one does most. `floating`: at the foot of other pages. */
export function SessionBar({ floating = false }: { readonly floating?: boolean }) {
  const seat = useSeat();
  const here = useStore(live, (state) => state.live);
  if (!here || here.recording) return null;
  const present = seat?.session.members.filter((one) => one.present) ?? [];
  const hands = present.filter(({ hand }) => hand !== null).length;
  const raised = seat ? memberOf(seat.session, seat.you)?.hand != null : false;
  const count = `${present.length} here${hands > 0 ? `, ${hands} with a raised hand` : ""}`;
  return (
    <section
      className={`${styles.bar} ${floating ? styles.floating : ""}`}
      aria-label="Live session"
      data-testid="session-bar"
    >
      {seat?.session.recording && (
        <span className={styles.recording} data-testid="recording-light">
          <span className={styles.light} aria-hidden="true" />
          REC
        </span>
      )}
      <SessionStatus />
      <span className={styles.rest} />
      {seat && !floating && (
        <>
          <BarButton
            word={raised ? "Lower your hand (H)" : "Raise your hand (H)"}
            name="Raised hand"
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
              aria-label={`People and notes: ${count}`}
              data-testid="session-people"
            >
              {present.length}
              {hands > 0 && <IconHandStop size={14} className={styles.handMark} />}
            </Button>
          </Tooltip>
          <BarButton word="Invite to this session" icon={<IconShare size={18} />} onClick={() => showDialog("share")} />
          <BarButton word="Leave the session" icon={<IconLogout size={18} />} onClick={leaveOrEnd} />
        </>
      )}
    </section>
  );
}

function LaserButton() {
  const { on } = useStore(laser);
  return (
    <BarButton
      word={on ? "Laser pointer off (Z)" : "Laser pointer (Z)"}
      name="Laser pointer"
      pressed={on}
      icon={<IconPointer size={18} />}
      onClick={toggleLaser}
    />
  );
}

interface BarButtonProps {
  readonly word: string;
  readonly name?: string;
  readonly pressed?: boolean;
  readonly icon: React.ReactNode;
  readonly onClick: () => void;
}

function BarButton({ word, name = word, pressed, icon, onClick }: BarButtonProps) {
  return (
    <Tooltip label={word}>
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
