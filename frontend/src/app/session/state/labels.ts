/** What a person reads about the session: pure. */
import type { Ending } from "../../../session/client";
import { type Operation, type Refusal, type SessionEvent, type SessionState, memberOf } from "../../../session/state";

/** `7KQM2XWD` as people read it out. */
export const spokenCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

export const ENDINGS: Readonly<
  Record<Ending, { readonly title: string; readonly text: string; readonly again: boolean }>
> = {
  ended: { title: "The session has ended", text: "You may go on looking by yourself.", again: false },
  left: { title: "You have left the session", text: "", again: false },
  removed: { title: "You were taken out of the session", text: "Its host has removed you.", again: false },
  stranger: {
    title: "You are not in this session",
    text: "It has ended, or its link or code is needed to join.",
    again: false,
  },
  version: { title: "This page is older than the service", text: "Load it anew to join the session.", again: false },
  fault: { title: "The session's connection had a fault", text: "It was closed to be safe.", again: true },
  elsewhere: { title: "The session goes on in another window", text: "You have opened it in too many.", again: true },
};

/** What just happened, for those who see and those who hear; null: nothing to tell. */
export function happening(event: SessionEvent, state: SessionState, you: string): string | null {
  const name = (id: string | null): string => (id === you ? "You" : (memberOf(state, id)?.name ?? "Somebody"));
  const verb = (id: string | null, mine: string, theirs: string): string => `${name(id)} ${id === you ? mine : theirs}`;
  switch (event.kind) {
    case "presenter":
      if (event.reason === "grace") return `${name(event.presenter)} is away: waiting for 15 seconds.`;
      return event.presenter === null ? "Nobody presents now." : `${verb(event.presenter, "present", "presents")} now.`;
    case "state":
      if (event.state === "ended") return null; // the connection's end says so
      return event.state === "paused" ? "Paused: everybody looks around alone." : "The session goes on.";
    case "recording":
      return event.recording ? "This session is being recorded." : "The recording has ended.";
    case "member":
      return event.member.hand !== null && event.member.id !== you && !isKnownHand(state, event.member.id)
        ? `${event.member.name} raises a hand.`
        : null;
    default:
      return null;
  }
}

/** Whether the hand had been up before. */
function isKnownHand(before: SessionState, id: string): boolean {
  return (memberOf(before, id)?.hand ?? null) !== null;
}

const REFUSALS: Readonly<Partial<Record<Refusal["code"], string>>> = {
  "not-allowed": "You may not do that in this session.",
  "unknown-member": "Who was meant is no longer in the session.",
  "unknown-slide": "This slide cannot be shown in the session.",
  "unknown-tour": "This tour cannot be shown in the session.",
  busy: "Somebody else is moving the picture just now.",
  paused: "The session is paused.",
  full: "There is no room for more.",
  "too-fast": "That was too much at once. Try again.",
};

export function refusal(operation: Operation, { code, detail }: Refusal): string | null {
  if (operation.type === "follow") return null;
  return REFUSALS[code] ?? detail;
}

/** Milliseconds as `1:05`, or `1:00:05`. */
export function clockWords(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
