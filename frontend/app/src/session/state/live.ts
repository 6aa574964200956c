/** The live session that this window is in: one at most, from page to page, and after the page is loaded anew. */
import { createStore } from "zustand/vanilla";
import { type ClientState, type Ending, isFollowing, startClient } from "@wavescope/core/session/client";
import { type SessionLink, browserConnection } from "@wavescope/core/session/connection";
import { type Operation, type SessionState, seenBy } from "@wavescope/core/session/state";
import { livePath } from "@wavescope/core/wire/sessions/sessionsClient";
import type { Recording } from "@wavescope/core/wire/sessions/sessionsClient";
import { setSessionInAddress } from "../../state/router";
import type { ReplayLink } from "./replaying";

export interface Live {
  readonly id: string;
  readonly connection: SessionLink;
  /** Where it is a recording. */
  readonly recording: { readonly about: Recording; readonly link: ReplayLink } | null;
}

export const live = createStore<{ readonly live: Live | null }>(() => ({ live: null }));

/** Connects this window with a session, in place of any other. */
export function enter(id: string): void {
  if (live.getState().live?.id === id) return;
  shut();
  const connection = browserConnection(livePath(id));
  live.setState({ live: { id, connection, recording: null } });
  connection.connect();
}

/** Shows a recording instead of any session. */
export function enterRecording(about: Recording, link: ReplayLink): void {
  shut();
  live.setState({ live: { id: about.id, connection: link, recording: { about, link } } });
}

/** The address tells which session this window is in, so that it comes back when it is loaded anew; of one that is over for this window it tells nothing. */
export function updateAddress({ id, connection, recording }: Live): void {
  setSessionInAddress(recording ? "recording" : "session", isOver(connection.state.getState()) ? null : id);
}

/** After these there is no way back with what the address tells. */
const FINAL: ReadonlySet<Ending> = new Set(["ended", "left", "removed"]);

/** Whether the session is over for this window, for good. */
export function isOver({ ending }: ClientState): boolean {
  return ending !== null && FINAL.has(ending);
}

/** Takes this window out of the session; the member stays in it. */
export function quit(): void {
  shut();
  setSessionInAddress("session", null);
  setSessionInAddress("recording", null);
}

function shut(): void {
  live.getState().live?.connection.close();
  live.setState({ live: null });
}

export const noClient: ClientState = startClient("nowhere");

export function clientNow(): ClientState {
  return live.getState().live?.connection.state.getState() ?? noClient;
}

export function operate(operation: Operation): void {
  live.getState().live?.connection.operate(operation);
}

/** The session and who this window is in it, while it is connected or was. */
export interface Participant {
  /** As the member sees it: in a group, with the group's presenter and stage (SE63). */
  readonly session: SessionState;
  readonly whole: SessionState;
  readonly you: string;
  readonly following: boolean;
}

export function participantOf(client: ClientState): Participant | null {
  const { session, you } = client;
  if (!session || you === null) return null;
  return { session: seenBy(session, you), whole: session, you, following: isFollowing(client) };
}
