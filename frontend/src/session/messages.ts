/** Messages of the live connection (session.md, 4 to 6), checked where they come in. */
import { ShapeError } from "../wire/errors";
import { type Json, asArray, asObject, numberOf, text, textOrNull, whole } from "../wire/shape";
import type { SessionEvent, Tick } from "./fold";
import type { Motion, Pane, SessionState, Settings, SharedView, Stage, Swipe } from "./state";

export const VERSIONS = [1] as const;

export type Operation =
  | { readonly type: "follow"; readonly following: boolean }
  | { readonly type: "name"; readonly name: string }
  | { readonly type: "hand"; readonly member: string; readonly raised: boolean }
  | { readonly type: "present"; readonly member: string }
  | { readonly type: "allow"; readonly member: string; readonly steers: boolean }
  | { readonly type: "pause"; readonly paused: boolean }
  | { readonly type: "settings"; readonly settings: Settings }
  | { readonly type: "slides"; readonly slides: readonly string[] }
  | { readonly type: "stage"; readonly stage: Omit<Stage, "number">; readonly views: readonly { readonly pane: Pane; readonly view: SharedView }[] }
  | { readonly type: "note"; readonly text: string }
  | { readonly type: "record"; readonly on: boolean }
  | { readonly type: "remove"; readonly member: string }
  | { readonly type: "leave" }
  | { readonly type: "end" };

export type SentOperation = Operation & { readonly ref: number };

export interface ViewMessage {
  readonly type: "view";
  readonly pane: Pane;
  readonly stage: number;
  readonly view: SharedView;
  readonly motion: Motion | null;
  readonly swipe: Swipe | null;
}

export interface CursorMessage {
  readonly type: "cursor";
  readonly pane: Pane;
  readonly stage: number;
  readonly l0_x: number | null;
  readonly l0_y: number | null;
  readonly laser: boolean;
}

export interface Hello {
  readonly type: "hello";
  readonly versions: readonly number[];
  readonly client: string;
  readonly sequence: number | null;
}

export type ClientMessage = Hello | ViewMessage | CursorMessage | { readonly type: "ping"; readonly t: number } | SentOperation;

export interface Refusal {
  readonly code: string;
  readonly detail: string;
}

export type ServerMessage =
  | {
      readonly type: "welcome";
      readonly version: number;
      readonly you: string;
      readonly resumed: boolean;
      readonly state: SessionState | null;
      readonly last_ref: number;
      readonly tick_ms: number;
      readonly time: number;
    }
  | { readonly type: "event"; readonly sequence: number; readonly time: number; readonly by: string | null; readonly event: SessionEvent | null }
  | ({ readonly type: "tick" } & Tick)
  | { readonly type: "ack"; readonly ref: number; readonly error: Refusal | null }
  | { readonly type: "pong" };

const KINDS = new Set(["member", "gone", "presenter", "state", "settings", "title", "slides", "stage", "note", "recording"]);

/** A message of the service; null: of a type that is not known, to be passed over (SE12). Throws ShapeError. */
export function parseMessage(frame: unknown): ServerMessage | null {
  if (typeof frame !== "string") throw new ShapeError("a message is not text");
  const from = asObject(JSON.parse(frame), "message");
  switch (from.type) {
    case "welcome":
      return {
        type: "welcome",
        version: whole(from, "version", 1),
        you: text(from, "you"),
        resumed: from.resumed === true,
        state: from.state === null ? null : parseState(from.state),
        last_ref: whole(from, "last_ref"),
        tick_ms: numberOf(from, "tick_ms"),
        time: numberOf(from, "time"),
      };
    case "event": {
      const event = asObject(from.event, "event");
      const known = KINDS.has(text(event, "kind")) ? (event as unknown as SessionEvent) : null;
      return { type: "event", sequence: whole(from, "sequence"), time: numberOf(from, "time"), by: textOrNull(from, "by"), event: known };
    }
    case "tick":
      return { type: "tick", ...listsOf(from) };
    case "ack": {
      const error = from.error === null || from.error === undefined ? null : asObject(from.error, "error");
      return { type: "ack", ref: whole(from, "ref"), error: error && { code: text(error, "code"), detail: textOrNull(error, "detail") ?? "" } };
    }
    case "pong":
      return { type: "pong" };
    default:
      return null;
  }
}

/** The whole state; its lists and what everything else hangs on are checked. */
export function parseState(value: unknown): SessionState {
  const from = asObject(value, "state");
  for (const key of ["slides", "members", "notes", "views", "cursors", "annotations"]) asArray(from[key], key);
  for (const key of ["id", "title", "state", "owner"]) text(from, key);
  whole(from, "sequence");
  text(asObject(from.stage, "stage"), "slide");
  asObject(from.settings, "settings");
  return from as unknown as SessionState;
}

function listsOf(from: Json): Tick {
  for (const key of ["views", "cursors", "annotations"]) if (from[key] !== undefined) asArray(from[key], key);
  const { views, cursors, annotations } = from as unknown as Tick;
  return { views, cursors, annotations };
}
