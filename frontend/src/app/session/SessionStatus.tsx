import { Button } from "@mantine/core";
import { type SessionState, follows, leads, mayTakeOver, memberOf } from "../../session/state";
import { goToStage, rejoin, takeOver, togglePause } from "./state/actions";
import { quit, live, type Seat } from "./state/live";
import { usePageKey, usePhase, useSeat } from "./state/useSession";
import { areSameSlides, sceneAt } from "./state/stage";
import { ENDINGS } from "./state/labels";
import styles from "./session.module.css";

/** One line: who presents, whether one follows, what is in the way; and the one button that goes with it. */
export function SessionStatus() {
  const seat = useSeat();
  const { phase, ending } = usePhase();
  usePageKey();
  if (phase === "over" && ending) {
    const { title, text, again } = ENDINGS[ending];
    return (
      <Line kind="over" words={`${title}. ${text}`}>
        {again && <Act word="Connect again" act={() => live.getState().live?.connection.connect()} />}
        <Act word="Close" act={quit} />
      </Line>
    );
  }
  if (!seat) return <Line kind="connecting" words="Connecting to the session …" />;
  if (phase !== "live") return <Line kind="lost" words="The session does not answer. Connecting again by itself …" />;
  return <Joined {...seat} />;
}

function Joined({ session, you, following }: Seat) {
  const presenter = memberOf(session, session.presenter);
  const take = mayTakeOver(session, you) ? (
    <Act word={session.presenter === null ? "Present" : "Take over"} act={takeOver} />
  ) : null;
  if (session.state === "paused") {
    const mayResume = session.presenter === you || session.owner === you;
    return (
      <Line
        kind="paused"
        words={
          session.presenter === null
            ? "Paused: nobody presents. Everybody looks around alone."
            : "Paused: everybody looks around alone."
        }
      >
        {session.presenter === null ? take : mayResume && <Act word="Resume" act={togglePause} />}
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
            ? "You present, but look at something else"
            : `You present${session.settings.everyone_steers ? "; everyone can navigate" : ""}`
        }
      >
        {away ? <Act word="Back to the stage" act={goToStage} /> : <Act word="Pause" act={togglePause} />}
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
      words={presenter ? `${presenter.name} presents. You are browsing freely.` : "You are browsing freely."}
    >
      <Act word="Rejoin" act={rejoin} strong />
      {take}
    </Line>
  );
}

function followingWords(session: SessionState, steering: boolean): string {
  const name = memberOf(session, session.presenter)?.name ?? "the presenter";
  if (session.lost_until !== null) return `${name} is away. Waiting …`;
  return steering ? `Following ${name}; you can navigate too` : `Following ${name}`;
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
