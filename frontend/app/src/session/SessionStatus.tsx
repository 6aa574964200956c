import { Button } from "@mantine/core";
import { useNetwork } from "@mantine/hooks";
import { type SessionState, follows, leads, mayHandOver, mayTakeOver, memberOf } from "@wavescope/core/session/state";
import { goToStage, rejoin, takeOver, togglePause } from "./state/actions";
import { quit, live, type Participant } from "./state/live";
import { usePageKey, usePhase, useParticipant } from "./state/useSession";
import { areSameSlides, sceneAt } from "./state/stage";
import { ENDINGS, endingText } from "./state/labels";
import styles from "./session.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** One line: who presents, whether one follows, what is in the way; and the one button that goes with it. */
export function SessionStatus() {
  const participant = useParticipant();
  const { phase, ending, said } = usePhase();
  const { online } = useNetwork();
  usePageKey();
  if (phase === "over" && ending) {
    return (
      <Line kind="over" text={endingText({ ending, said })}>
        {ENDINGS[ending].again && (
          <ActionButton label={t("session.connectAgain")} onClick={() => live.getState().live?.connection.connect()} />
        )}
        <ActionButton label={t("common.close")} onClick={quit} />
      </Line>
    );
  }
  if (!online) return <Line kind="lost" text={t("session.deviceOffline")} />;
  if (!participant) return <Line kind="connecting" text={t("session.connectingSession")} />;
  if (phase !== "live") return <Line kind="lost" text={t("session.reconnecting")} />;
  return <Joined {...participant} />;
}

function Joined({ session, whole, you, following }: Participant) {
  const presenter = memberOf(session, session.presenter);
  const takeOverButton = mayTakeOver(session, you) ? (
    <ActionButton
      label={session.presenter === null ? t("session.present") : t("session.takeOver")}
      onClick={takeOver}
    />
  ) : null;
  const mayPause = mayHandOver(whole, you); // also in a group: all pause together (SE68)
  if (session.state === "paused") {
    return (
      <Line kind="paused" text={session.presenter === null ? t("session.pausedNoPresenter") : t("session.paused")}>
        {session.presenter === null
          ? takeOverButton
          : mayPause && <ActionButton label={t("session.resume")} onClick={togglePause} />}
      </Line>
    );
  }
  const away = !areSameSlides(sceneAt(location), session.stage);
  if (session.presenter === you) {
    return (
      <Line
        kind="presenting"
        text={
          away
            ? t("session.presentingAway")
            : t(session.settings.everyone_steers ? "session.presentingTogether" : "session.presenting")
        }
      >
        {away ? (
          <ActionButton label={t("session.backToScene")} onClick={goToStage} />
        ) : (
          mayPause && <ActionButton label={t("session.pause")} onClick={togglePause} />
        )}
      </Line>
    );
  }
  if (follows(session, you, following)) {
    return (
      <Line kind="following" color={presenter?.color} text={followingText(session, leads(session, you, following))}>
        {takeOverButton}
      </Line>
    );
  }
  return (
    <Line
      kind="free"
      text={presenter ? t("session.presentsYouBrowse", { name: presenter.name }) : t("session.browsingFreely")}
    >
      <ActionButton label={t("session.rejoin")} onClick={rejoin} primary />
      {takeOverButton}
    </Line>
  );
}

function followingText(session: SessionState, steering: boolean): string {
  const name = memberOf(session, session.presenter)?.name ?? t("session.presenterInSentence");
  if (session.lost_until !== null) return t("session.away", { name });
  return steering ? t("session.followingNavigating", { name }) : t("session.following", { name });
}

interface LineProps {
  readonly kind: string;
  readonly text: string;
  readonly color?: string;
  readonly children?: React.ReactNode;
}

function Line({ kind, text, color, children }: LineProps) {
  return (
    <div className={styles.status} data-testid="session-status" data-kind={kind}>
      <span className={styles.dot} style={color ? { background: color } : undefined} aria-hidden="true" />
      <span role="status" className={styles.text} title={text}>
        {text}
      </span>
      {children}
    </div>
  );
}

function ActionButton({
  label,
  onClick,
  primary = false,
}: {
  readonly label: string;
  readonly onClick: () => void;
  readonly primary?: boolean;
}) {
  return (
    <Button size="compact-sm" variant={primary ? "filled" : "default"} onClick={onClick} className={styles.act}>
      {label}
    </Button>
  );
}
