/** Messages of the live connection (session.md, 4 to 6), checked where they come in. */
import {
  Ack as isAck,
  EventMessage as isEventMessage,
  Pong as isPong,
  Private as isPrivate,
  Tick as isTick,
  Welcome as isWelcome,
} from "../wire/generated/laterValidators";
import type * as Wire from "../wire/generated/types";
import { checked, parsedJson } from "../wire/http/contract";
import { ContractError } from "../wire/http/errors";
import type { Fixed } from "../wire/http/json";
import type { ClientMessage, SessionEvent } from "./state";

export const VERSIONS = [1, 2] as const;

export type ViewMessage = Extract<ClientMessage, { readonly type: "view" }>;
export type CursorMessage = Extract<ClientMessage, { readonly type: "cursor" }>;

type EventMessage = Omit<Fixed<Wire.EventMessage>, "event"> & {
  /** Null: of a kind that is not known. */
  readonly event: SessionEvent | null;
};
export type ServerMessage = Fixed<Wire.Welcome | Wire.Tick | Wire.Ack | Wire.Pong | Wire.Private> | EventMessage;

const KINDS: Readonly<Record<SessionEvent["kind"], true>> = {
  member: true,
  absent: true,
  gone: true,
  "hands-lowered": true,
  presenter: true,
  state: true,
  settings: true,
  title: true,
  slides: true,
  stage: true,
  note: true,
  poll: true,
  "poll-answered": true,
  "poll-deleted": true,
  question: true,
  "question-voted": true,
  "question-gone": true,
  recording: true,
  groups: true,
  group: true,
};

const SOURCE = "session";

/** A message of the service; null: of a type that is not known, to be passed over (SE12). Throws ContractError. */
export function parseMessage(frame: unknown): ServerMessage | null {
  if (typeof frame !== "string") throw new ContractError(SOURCE, "", "text");
  const message = parsedJson(frame, SOURCE);
  if (typeof message !== "object" || message === null || Array.isArray(message))
    throw new ContractError(SOURCE, "", "object");
  switch ("type" in message ? message.type : null) {
    case "welcome":
      return checked(message, isWelcome, SOURCE);
    case "event": {
      const happened = checked(message, isEventMessage, SOURCE);
      return Object.hasOwn(KINDS, happened.event.kind) ? happened : { ...happened, event: null };
    }
    case "tick":
      return checked(message, isTick, SOURCE);
    case "private":
      return checked(message, isPrivate, SOURCE);
    case "ack":
      return checked(message, isAck, SOURCE);
    case "pong":
      return checked(message, isPong, SOURCE);
    default:
      return null;
  }
}
