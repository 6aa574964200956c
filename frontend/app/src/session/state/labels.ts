/** What a person reads about the session: pure. */
import type { ClientState, Ending } from "@wavescope/core/session/client";
import {
  type Member,
  type Operation,
  type Refusal,
  type SessionEvent,
  type SessionState,
  groupOf,
  mayHandOver,
  memberOf,
} from "@wavescope/core/session/state";
import { t } from "@wavescope/core/i18n/i18n";

/** `7KQM2XWD` as people read it out. */
export const groupedCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

export const ENDINGS: Readonly<
  Record<Ending, { readonly title: string; readonly text: string; readonly again: boolean }>
> = {
  ended: { title: t("session.ended"), text: t("session.viewOnYourOwn"), again: false },
  left: { title: t("session.left"), text: "", again: false },
  removed: { title: t("session.removed"), text: t("session.removedHint"), again: true },
  "shut-out": { title: t("session.shutOut"), text: t("session.shutOutHint"), again: false },
  "not-a-member": {
    title: t("session.notIn"),
    text: t("session.missingHint"),
    again: false,
  },
  version: { title: t("session.outdated"), text: t("session.reloadToJoin"), again: false },
  error: { title: t("session.faulty"), text: t("session.closedHint"), again: true },
  elsewhere: { title: t("session.elsewhere"), text: t("session.tooManyWindows"), again: true },
};

/** Why the session is over for this window. */
export function endingText({ ending, said }: Pick<ClientState, "ending" | "said">): string {
  if (!ending) return "";
  const { title, text } = ENDINGS[ending];
  return [title, said ? t("session.removedBecause", { said }) : text].filter(Boolean).join(". ");
}

/** Whose hand an event raises; null: nobody's. `before`: the state that it changed. */
export function handRaisedBy(event: SessionEvent, before: SessionState): Member | null {
  if (event.kind !== "member" || event.member.hand === null) return null;
  return (memberOf(before, event.member.id)?.hand ?? null) === null ? event.member : null;
}

/** What just happened, for those who see and those who hear; null: nothing to tell. */
export function eventMessage(event: SessionEvent, state: SessionState, you: string): string | null {
  const name = (id: string | null): string =>
    id === you ? t("session.you") : (memberOf(state, id)?.name ?? t("session.someone"));
  switch (event.kind) {
    case "presenter":
      if (groupOf(state, you)) return null; // of all: the own group has its presenter
      if (event.reason === "grace") return t("session.presenterAway", { presenter: name(event.presenter) });
      if (event.presenter === null) return t("session.noPresenter");
      return event.presenter === you
        ? t("session.presentingNow")
        : t("session.newPresenter", { name: name(event.presenter) });
    case "state":
      if (event.state === "ended") return null; // the connection's end says so
      return event.state === "paused" ? t("session.paused") : t("session.resumed");
    case "recording":
      if (event.recording) return state.owner === you ? null : t("session.recorded"); // who asked for it sees the light
      return t("session.recordingEnded");
    default:
      return null;
  }
}

/** What an event about groups means to a member: another group, or another presenter of the own one; null: nothing. */
export function groupNews(before: SessionState, after: SessionState, you: string): string | null {
  const [left, own] = [groupOf(before, you), groupOf(after, you)];
  if (left?.id !== own?.id) return own ? t("session.groupNow", { name: own.name }) : t("session.groupBack");
  if (!own || left?.presenter === own.presenter || own.presenter === null) return null;
  if (own.presenter === you) return t("session.presentingNow");
  return t("session.newPresenter", { name: memberOf(after, own.presenter)?.name ?? t("session.someone") });
}

/** What an event says about a poll to a member who did not cause it, and what the member does next; null: nothing. */
export function pollNews(event: SessionEvent): { readonly message: string; readonly action: string } | null {
  if (event.kind !== "poll") return null;
  const { open, results, question } = event.poll;
  if (results) return { message: t("session.pollRevealed"), action: t("session.pollShow") };
  return open ? { message: t("session.pollAsked", { question }), action: t("session.pollAnswerIt") } : null;
}

/** The text of a question that is new to who answers questions; null: nothing new. `before`: the state that the event changed. */
export function questionNews(event: SessionEvent, before: SessionState, you: string): string | null {
  if (event.kind !== "question" || !mayHandOver(before, you)) return null;
  return before.questions?.some(({ id }) => id === event.question.id) ? null : event.question.text;
}

const REFUSALS: Readonly<Partial<Record<Refusal["code"], string>>> = {
  "not-allowed": t("session.notAllowed"),
  "unknown-member": t("session.memberGone"),
  "unknown-slide": t("session.slideRefused"),
  "unknown-tour": t("session.tourRefused"),
  "unknown-poll": t("session.pollGone"),
  "unknown-question": t("session.questionGone"),
  "unknown-group": t("session.groupGone"),
  closed: t("session.pollClosedNow"),
  busy: t("session.otherNavigates"),
  paused: t("session.pausedNow"),
  full: t("session.full"),
  "too-fast": t("session.tooMuch"),
};

export function refusalMessage(operation: Operation, { code, detail }: Refusal): string | null {
  if (operation.type === "follow") return null;
  return REFUSALS[code] ?? detail;
}

/** Milliseconds as `1:05`, or `1:00:05`. */
export function clockLabel(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
