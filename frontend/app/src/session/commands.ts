/** A live session by keys. */
import { flushSync } from "react-dom";
import { showPanel } from "../microscope/panelState";
import type { Command } from "../microscope/parts";
import {
  inLiveSession,
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
import { t } from "@wavescope/core/i18n/i18n";

const GROUP = t("session.liveSession");

/** Of a running session; the viewer of a recording can only follow it or not. */
const command = (id: string, title: string, keys: readonly string[], run: () => void): Command => ({
  id: `session.${id}`,
  group: GROUP,
  title,
  keys,
  available: inLiveSession,
  run,
});

export const sessionCommands: readonly Command[] = [
  {
    id: "session.open",
    group: GROUP,
    title: t("session.startOrOpen"),
    keys: ["Shift+s"],
    available: ({ mayHost }) => mayHost || inSession(),
    run: () => (live.getState().live && !isOver(clientNow()) ? showPanel("session") : showDialog("start")),
  },
  { ...command("follow", t("session.followOrNot"), ["u"], toggleFollowing), available: inSession },
  command("hand", t("session.raiseOrLowerHand"), ["h"], toggleHand),
  command("laser", t("session.laserOnOrOff"), ["z"], toggleLaser),
  command("take-over", t("session.present"), ["Shift+u"], takeOver),
  command("pause", t("session.pauseOrResume"), [], togglePause),
  command("record", t("session.recordOrStop"), [], toggleRecording),
  command("note", t("session.writeNote"), ["Shift+n"], writeNote),
  command("invite", t("session.inviteTo"), [], () => showDialog("share")),
  command("leave", t("session.leaveSession"), [], leaveOrEnd),
];

function writeNote(): void {
  flushSync(() => showPanel("session")); // so that not a letter is lost
  document.getElementById("session-note")?.focus();
}
