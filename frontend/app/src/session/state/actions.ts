/** What a person does in a session: buttons, menus and keys call these. */
import { memberOf } from "@wavescope/core/session/state";
import { navigate } from "../../state/router";
import { showDialog } from "./dialogs";
import { type Participant, clientNow, live, operate, quit, participantOf } from "./live";
import { addressOfScene } from "./stage";

const participant = (): Participant | null => participantOf(clientNow());

export const inSession = (): boolean => participant() !== null;

/** Not in a recording of one. */
export const inLiveSession = (): boolean => inSession() && live.getState().live?.recording === null;

export function rejoin(): void {
  operate({ type: "follow", following: true });
}

/** Back to following, or free of it. */
export function toggleFollowing(): void {
  const here = participant();
  if (here && here.session.presenter !== here.you) operate({ type: "follow", following: !here.following });
}

export function takeOver(): void {
  const here = participant();
  if (here) operate({ type: "present", member: here.you });
}

export function togglePause(): void {
  const here = participant();
  if (here) operate({ type: "pause", paused: here.session.state !== "paused" });
}

export function toggleHand(): void {
  const here = participant();
  if (here) operate({ type: "hand", member: here.you, raised: memberOf(here.session, here.you)?.hand == null });
}

export function toggleRecording(): void {
  const here = participant();
  if (here) operate({ type: "record", on: here.session.recording === null });
}

/** To the page that shows the session's stage. */
export function goToStage(): void {
  const here = participant();
  if (here) void addressOfScene(here.session.stage).then(({ path, query }) => navigate(path, query));
}

/** The owner is asked whether it ends for all. */
export function leaveOrEnd(): void {
  const here = participant();
  if (here && here.session.owner === here.you && here.session.state !== "ended") return showDialog("end");
  leave();
}

export function leave(): void {
  operate({ type: "leave" });
  quit();
}
