/**
 * One window's part of a session: what comes in makes the next state and tells what to do. Pure; sockets and clocks stand around it
 * (connection.ts). Rules: session.md, SE12-SE26.
 */
import { foldEvent, foldTick } from "./fold";
import { type ServerMessage, VERSIONS } from "./messages";
import type {
  ClientMessage,
  Operation,
  Private,
  Refusal,
  SentOperation,
  SessionEvent,
  SessionState,
  ViewEntry,
} from "./state";

/** Why a window stays away until it is asked to come again. */
export type Ending = "ended" | "left" | "removed" | "not-a-member" | "shut-out" | "version" | "error" | "elsewhere";

export interface ClientState {
  /** `waiting`: until the next attempt to connect. */
  readonly phase: "connecting" | "greeting" | "live" | "waiting" | "over";
  readonly ending: Ending | null;
  /** What the host wrote to the removed member (SE51); else empty. */
  readonly said: string;
  /** This window's own name (SE13). */
  readonly client: string;
  readonly session: SessionState | null;
  /** The member that this window is. */
  readonly you: string | null;
  /** What this member alone may know (SE55, SE57). */
  readonly own: Omit<Private, "type">;
  readonly early: readonly ViewEntry[];
  readonly lastRef: number;
  /** Operations that were not answered yet, in order: sent again after a loss (SE20). */
  readonly unanswered: readonly SentOperation[];
  /** Attempts to connect since the last welcome. */
  readonly attempts: number;
  /** Whether what is known may be taken up again; not after a gap (SE19). */
  readonly resumable: boolean;
  readonly tickMs: number;
  /** The service's clock minus ours. */
  readonly clockOffset: number;
  readonly lastReceived: number;
  /** When the service was asked whether it is there; null: it need not be. */
  readonly pinged: number | null;
}

export type Input =
  | { readonly type: "connect" }
  | { readonly type: "opened"; readonly now: number }
  | { readonly type: "closed"; readonly code: number; readonly jitter: number; readonly reason?: string }
  | { readonly type: "received"; readonly message: ServerMessage | null; readonly now: number }
  | { readonly type: "clock"; readonly now: number }
  | { readonly type: "operate"; readonly operation: Operation };

export type Effect =
  | { readonly do: "open" }
  | { readonly do: "close" }
  | { readonly do: "send"; readonly message: ClientMessage }
  | { readonly do: "wait"; readonly milliseconds: number }
  /** An event was folded in: for words about what happened. */
  | { readonly do: "notify"; readonly event: SessionEvent; readonly by: string | null }
  | { readonly do: "refuse"; readonly operation: Operation; readonly error: Refusal };

export interface Step {
  readonly state: ClientState;
  readonly effects: readonly Effect[];
}

const RETRY_DELAYS = [0, 500, 1000, 2000, 4000, 8000, 10_000];
const FLOODED = 10_000;
/** The session has moved: all its members connect again, spread over so many milliseconds. */
const MOVED = 1012;
const SPREAD = 250;
const SILENT = 15_000;
const ANSWER = 10_000;
const ENDINGS: Readonly<Record<number, Ending>> = {
  1000: "left",
  1009: "error",
  4400: "error",
  4401: "not-a-member",
  4403: "removed",
  4406: "version",
  4409: "elsewhere",
  4410: "ended",
};

export function startClient(client: string): ClientState {
  return {
    phase: "waiting",
    ending: null,
    said: "",
    client,
    session: null,
    you: null,
    own: { answers: [], results: [], questions: [], votes: [] },
    early: [],
    lastRef: 0,
    unanswered: [],
    attempts: 0,
    resumable: false,
    tickMs: 33,
    clockOffset: 0,
    lastReceived: 0,
    pinged: null,
  };
}

export function step(state: ClientState, input: Input): Step {
  switch (input.type) {
    case "connect":
      return { state: { ...state, phase: "connecting", ending: null }, effects: [{ do: "open" }] };
    case "opened": {
      const sequence = state.resumable && state.session ? state.session.sequence : null;
      const hello: ClientMessage = { type: "hello", versions: VERSIONS, client: state.client, sequence };
      return {
        state: { ...state, phase: "greeting", lastReceived: input.now, pinged: null },
        effects: [{ do: "send", message: hello }],
      };
    }
    case "closed":
      return closed(state, input);
    case "received":
      return received({ ...state, lastReceived: input.now, pinged: null }, input.message, input.now);
    case "clock":
      return clock(state, input.now);
    case "operate":
      return operate(state, input.operation);
  }
}

/** Whether this window's member follows, as far as this window knows: what it has said counts before it is answered. */
export function isFollowing({ unanswered, session, you }: ClientState): boolean {
  const sent = unanswered.findLast(({ type }) => type === "follow");
  if (sent?.type === "follow") return sent.following;
  return session?.members.find(({ id }) => id === you)?.following ?? false;
}

function closed(state: ClientState, { code, jitter, reason = "" }: Extract<Input, { type: "closed" }>): Step {
  if (state.phase === "over" || state.phase === "waiting") return { state, effects: [] };
  const known = ENDINGS[code] ?? null;
  const ending = known === "not-a-member" && state.session ? "shut-out" : known; // it was in
  const said = ending === "removed" ? reason : "";
  if (ending) return { state: { ...state, phase: "over", ending, said, unanswered: [] }, effects: [] };
  const planned = RETRY_DELAYS[Math.min(state.attempts, RETRY_DELAYS.length - 1)];
  const milliseconds =
    code === 4429 ? FLOODED : planned ? planned * (1 - jitter / 2) : code === MOVED ? jitter * SPREAD : 0;
  return {
    state: { ...state, phase: "waiting", attempts: state.attempts + 1 },
    effects: [{ do: "wait", milliseconds }],
  };
}

function received(state: ClientState, message: ServerMessage | null, now: number): Step {
  const unchanged = { state, effects: [] };
  if (!message || state.phase === "over") return unchanged;
  if (message.type === "welcome") return welcomed(state, message, now);
  if (state.phase !== "live" || !state.session) return unchanged;
  switch (message.type) {
    case "event":
      return handleEvent(state, state.session, message);
    case "tick": {
      const { state: session, early } = foldTick(state.session, message);
      return { state: { ...state, session, early: [...state.early, ...early] }, effects: [] };
    }
    case "ack": {
      const operation = state.unanswered.find(({ ref }) => ref === message.ref);
      const unanswered = state.unanswered.filter(({ ref }) => ref !== message.ref);
      const effects: Effect[] = operation && message.error ? [{ do: "refuse", operation, error: message.error }] : [];
      return { state: { ...state, unanswered }, effects };
    }
    case "private":
      return { state: { ...state, own: message }, effects: [] };
    case "pong":
      return unchanged;
  }
}

function welcomed(state: ClientState, message: Extract<ServerMessage, { type: "welcome" }>, now: number): Step {
  const session = message.state ?? (state.session && { ...state.session, cursors: [] }); // a resumed session's cursors come whole (SE14)
  if (!session) return { state, effects: [{ do: "close" }] };
  const unanswered = state.unanswered.filter(({ ref }) => ref > message.last_ref);
  const next: ClientState = {
    ...state,
    phase: "live",
    session,
    you: message.you,
    early: [],
    unanswered,
    attempts: 0,
    resumable: true,
    tickMs: message.tick_ms,
    clockOffset: message.time - now,
  };
  return { state: next, effects: unanswered.map((operation) => ({ do: "send", message: operation })) };
}

function handleEvent(
  state: ClientState,
  session: SessionState,
  { sequence, event, by }: Extract<ServerMessage, { type: "event" }>,
): Step {
  if (sequence !== session.sequence + 1 || !event)
    return { state: { ...state, resumable: false }, effects: [{ do: "close" }] };
  const folded = foldEvent(session, event);
  const next =
    event.kind === "stage" || event.kind === "group" || event.kind === "groups"
      ? foldTick(folded, { views: state.early })
      : { state: folded, early: state.early };
  return { state: { ...state, session: next.state, early: next.early }, effects: [{ do: "notify", event, by }] };
}

function clock(state: ClientState, now: number): Step {
  if (state.phase !== "live" && state.phase !== "greeting") return { state, effects: [] };
  // measured from the question, not from the last word: clocks of hidden pages and sleeping laptops stand still
  if (state.pinged !== null) return { state, effects: now - state.pinged > ANSWER ? [{ do: "close" }] : [] };
  if (now - state.lastReceived <= SILENT) return { state, effects: [] };
  if (state.phase === "greeting") return { state, effects: [{ do: "close" }] };
  return { state: { ...state, pinged: now }, effects: [{ do: "send", message: { type: "ping", t: now } }] };
}

function operate(state: ClientState, operation: Operation): Step {
  if (state.phase === "over") return { state, effects: [] };
  const sent = { ...operation, ref: state.lastRef + 1 } as SentOperation;
  const next = { ...state, lastRef: sent.ref, unanswered: [...state.unanswered, sent] };
  return { state: next, effects: state.phase === "live" ? [{ do: "send", message: sent }] : [] };
}
