/** Messages of the live connection (session.md, 4 to 6), checked where they come in. */
import { ShapeError } from "../wire/http/errors";
import { type Json, asArray, asObject, numberOf, text, textOrNull, whole } from "../wire/http/shape";
import type { Tick } from "./fold";
import type { ClientMessage, Refusal, SessionEvent, SessionState } from "./state";
import { t } from "../i18n/i18n";

export const VERSIONS = [1] as const;

export type ViewMessage = Extract<ClientMessage, { readonly type: "view" }>;
export type CursorMessage = Extract<ClientMessage, { readonly type: "cursor" }>;

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
  | {
      readonly type: "event";
      readonly sequence: number;
      readonly time: number;
      readonly by: string | null;
      readonly event: SessionEvent | null;
    }
  | ({ readonly type: "tick" } & Tick)
  | { readonly type: "ack"; readonly ref: number; readonly error: Refusal | null }
  | { readonly type: "pong" };

const KINDS = new Set([
  "member",
  "absent",
  "gone",
  "presenter",
  "state",
  "settings",
  "title",
  "slides",
  "stage",
  "note",
  "recording",
]);

/** A message of the service; null: of a type that is not known, to be passed over (SE12). Throws ShapeError. */
export function parseMessage(frame: unknown): ServerMessage | null {
  if (typeof frame !== "string") throw new ShapeError(t("session.notText"));
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
      return {
        type: "event",
        sequence: whole(from, "sequence"),
        time: numberOf(from, "time"),
        by: textOrNull(from, "by"),
        event: known,
      };
    }
    case "tick":
      return { type: "tick", ...listsOf(from) };
    case "ack": {
      const error = from.error === null || from.error === undefined ? null : asObject(from.error, "error");
      return {
        type: "ack",
        ref: whole(from, "ref"),
        error: error && { code: text(error, "code") as Refusal["code"], detail: textOrNull(error, "detail") ?? "" },
      };
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
  for (const key of ["views", "cursors", "annotations"])
    if (from[key] !== undefined && from[key] !== null) asArray(from[key], key);
  const { stage, views, cursors, annotations } = from as unknown as Tick;
  return { stage, views, cursors, annotations };
}
