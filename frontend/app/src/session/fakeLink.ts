/** A session's connection without a service, for tests: a client state that tests set, and the operations that were asked for. */
import { vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { type ClientState, startClient } from "@wavescope/core/session/client";
import type { SessionLink } from "@wavescope/core/session/connection";
import type { Operation, SessionState } from "@wavescope/core/session/state";
import { session } from "@wavescope/core/session/testing";
import type { Live } from "./state/live";

export class FakeLink implements SessionLink {
  readonly state = createStore<ClientState>(() => startClient("window-1"));
  readonly operations: Operation[] = [];
  readonly view = vi.fn();
  readonly cursor = vi.fn();
  readonly connect = vi.fn();
  readonly close = vi.fn();
  readonly listen = () => () => undefined;
  readonly live: Live = { id: "5f0c", connection: this, recording: null };

  operate(operation: Operation): void {
    this.operations.push(operation);
  }

  /** The window is this member of such a session. */
  put(you: string, change: Partial<SessionState> = {}): void {
    this.state.setState({ phase: "live", ending: null, you, session: session(change) });
  }
}
