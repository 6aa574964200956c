import { Button } from "@mantine/core";
import { type SessionState, follows, leads, mayTakeOver, memberOf } from "../../session/state";
import { goToStage, rejoin, takeOver, togglePause } from "./state/actions";
import { quit, live, type Participant } from "./state/live";
import { usePageKey, usePhase, useParticipant } from "./state/useSession";
import { areSameSlides, sceneAt } from "./state/stage";
import { ENDINGS } from "./state/labels";
import styles from "./session.module.css";
import { t } from "../../i18n/i18n";

/** One line: who presents, whether one follows, what is in the way; and the one button that goes with it. */
export function SessionStatus() {
  const participant = useParticipant();
  const { phase, ending } = usePhase();
  usePageKey();
  if (phase === "over" && ending) {
    const { title, text, again } = ENDINGS[ending];
    return (
      <Line kind="over" words={[title, text].filter(Boolean).join(". ")}>
        {again && <Act word={t("session.connectAgain")} act={() => live.getState().live?.connection.connect()} />}
        <Act word={t("common.close")} act={quit} />
      </Line>
    );
  }
  if (!participant) return <Line kind="connecting" words={t("session.connectingSession")} />;
  if (phase !== "live") return <Line kind="lost" words={t("session.reconnecting")} />;
  return <Joined {...participant} />;
}

function Joined({ session, you, following }: Participant) {
  const presenter = memberOf(session, session.presenter);
  const take = mayTakeOver(session, you) ? (
    <Act word={session.presenter === null ? t("session.present") : t("session.takeOver")} act={takeOver} />
  ) : null;
  if (session.state === "paused") {
    const mayResume = session.presenter === you || session.owner === you;
    return (
      <Line kind="paused" words={session.presenter === null ? t("session.pausedNoPresenter") : t("session.paused")}>
        {session.presenter === null ? take : mayResume && <Act word={t("session.resume")} act={togglePause} />}
      </Line>
    );
  }
  const away = !areSameSlides(sceneAt(location), session.stage);
  if (session.presenter === you) {
    return (
      <Line
        kind="presenting"
        words={
          away
            ? t("session.presentingAway")
            : t(session.settings.everyone_steers ? "session.presentingTogether" : "session.presenting")
        }
      >
        {away ? (
          <Act word={t("session.backToScene")} act={goToStage} />
        ) : (
          <Act word={t("session.pause")} act={togglePause} />
        )}
      </Line>
    );
  }
  if (follows(session, you, following)) {
    return (
      <Line kind="following" color={presenter?.color} words={followingWords(session, leads(session, you, following))}>
        {take}
      </Line>
    );
  }
  return (
    <Line
      kind="free"
      words={presenter ? t("session.presentsYouBrowse", { name: presenter.name }) : t("session.browsingFreely")}
    >
      <Act word={t("session.rejoin")} act={rejoin} strong />
      {take}
    </Line>
  );
}

function followingWords(session: SessionState, steering: boolean): string {
  const name = memberOf(session, session.presenter)?.name ?? t("session.presenterInSentence");
  if (session.lost_until !== null) return t("session.away", { name });
  return steering ? t("session.followingNavigating", { name }) : t("session.following", { name });
}

interface LineProps {
  readonly kind: string;
  readonly words: string;
  readonly color?: string;
  readonly children?: React.ReactNode;
}

function Line({ kind, words, color, children }: LineProps) {
  return (
    <div className={styles.status} data-testid="session-status" data-kind={kind}>
      <span className={styles.dot} style={color ? { background: color } : undefined} aria-hidden="true" />
      <span role="status" className={styles.words} title={words}>
        {words}
      </span>
      {children}
    </div>
  );
}

function Act({
  word,
  act,
  strong = false,
}: {
  readonly word: string;
  readonly act: () => void;
  readonly strong?: boolean;
}) {
  return (
    <Button size="compact-sm" variant={strong ? "filled" : "default"} onClick={act} className={styles.act}>
      {word}
    </Button>
  );
}
