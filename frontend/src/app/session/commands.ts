/** A live session by keys. */
import { flushSync } from "react-dom";
import { showPanel } from "../microscope/panelState";
import type { Command } from "../microscope/parts";
import {
  inSession,
  leaveOrEnd,
  takeOver,
  toggleFollowing,
  toggleHand,
  togglePause,
  toggleRecording,
} from "./state/actions";
import { showDialog } from "./state/dialogs";
import { toggleLaser } from "./state/laser";
import { clientNow, isOver, live } from "./state/live";

const GROUP = "Live session";

const command = (id: string, title: string, keys: readonly string[], run: () => void): Command => ({
  id: `session.${id}`,
  group: GROUP,
  title,
  keys,
  available: inSession,
  run,
});

export const sessionCommands: readonly Command[] = [
  {
    id: "session.open",
    group: GROUP,
    title: "Live session: start or open",
    keys: ["Shift+s"],
    available: ({ mayHost }) => mayHost || inSession(),
    run: () => (live.getState().live && !isOver(clientNow()) ? showPanel("session") : showDialog("start")),
  },
  command("follow", "Follow the presenter, or look around alone", ["u"], toggleFollowing),
  command("hand", "Raise or lower your hand", ["h"], toggleHand),
  command("laser", "Laser pointer on or off", ["z"], toggleLaser),
  command("take-over", "Present", ["Shift+u"], takeOver),
  command("pause", "Pause the session, or go on", [], togglePause),
  command("record", "Record the session, or stop", [], toggleRecording),
  command("note", "Write a note", ["Shift+n"], writeNote),
  command("invite", "Invite to the session", [], () => showDialog("share")),
  command("leave", "Leave the session", [], leaveOrEnd),
];

function writeNote(): void {
  flushSync(() => showPanel("session")); // so that not a letter is lost
  document.getElementById("session-note")?.focus();
}
