/** The WebSocket and the clock around a client: a store of its state, and what a window may send. */
import { type StoreApi, createStore } from "zustand/vanilla";
import { type ClientState, type Effect, type Input, startClient, step } from "./client";
import { type CursorMessage, type ViewMessage, parseMessage } from "./messages";
import { ContractError } from "../wire/http/errors";
import { Throttle, type ThrottleClock } from "./throttle";
import type { ClientMessage, Operation, Refusal, SessionEvent, SessionState } from "./state";

/** The part of a WebSocket that is used here. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  readonly bufferedAmount: number;
  send(text: string): void;
  close(): void;
}

export interface ConnectionPorts extends ThrottleClock {
  open(): Socket;
  jitter(): number;
  name(): string;
}

/** What pages need of a session, live or recorded. */
export interface SessionLink {
  readonly state: StoreApi<ClientState>;
  connect(): void;
  operate(operation: Operation): void;
  view(message: Omit<ViewMessage, "type">): void;
  cursor(message: Omit<CursorMessage, "type">): void;
  listen(listener: SessionListener): () => void;
  close(): void;
}

export interface SessionListener {
  /** `before`: the state that the event has changed. */
  received?(event: SessionEvent, by: string | null, before: SessionState | null): void;
  refused?(operation: Operation, error: Refusal): void;
}

const HEARTBEAT = 1000;
/** The close code of a message that cannot be understood (SE24). */
const FAULT = 4400;
/** Bytes that wait for the network: above this, newer views replace older ones. */
const MAX_BUFFERED = 64 * 1024;

export class Connection implements SessionLink {
  readonly state: StoreApi<ClientState>;
  private socket: Socket | null = null;
  private retry: number | null = null;
  private heartbeat: number | null = null;
  private readonly listeners = new Set<SessionListener>();
  private readonly throttle: Throttle<ViewMessage | CursorMessage>;

  constructor(private readonly ports: ConnectionPorts) {
    this.state = createStore<ClientState>(() => startClient(ports.name()));
    this.throttle = new Throttle(
      ports,
      () => this.state.getState().tickMs,
      (message) => this.offer(message),
    );
  }

  /** Connects, also after an ending, and at once where it was waiting. */
  connect(): void {
    if (this.retry !== null) this.ports.clear(this.retry);
    this.retry = null;
    const { phase } = this.state.getState();
    if (phase === "waiting" || phase === "over") this.dispatch({ type: "connect" });
    this.heartbeat ??= this.ports.set(() => this.tick(), HEARTBEAT);
  }

  operate(operation: Operation): void {
    this.dispatch({ type: "operate", operation });
  }

  view(message: Omit<ViewMessage, "type">): void {
    this.throttle.put(`view ${message.pane}`, { type: "view", ...message });
  }

  cursor(message: Omit<CursorMessage, "type">): void {
    this.throttle.put("cursor", { type: "cursor", ...message });
  }

  listen(listener: SessionListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): void {
    for (const timer of [this.retry, this.heartbeat]) if (timer !== null) this.ports.clear(timer);
    this.throttle.close();
    this.drop();
  }

  private dispatch(input: Input): void {
    const before = this.state.getState();
    const { state, effects } = step(before, input);
    if (state !== before) this.state.setState(state, true);
    for (const effect of effects) this.act(effect, before.session);
  }

  private act(effect: Effect, before: SessionState | null): void {
    switch (effect.do) {
      case "open":
        return this.open();
      case "close":
        this.drop();
        return this.dispatch({ type: "closed", code: 1006, jitter: this.ports.jitter() });
      case "send":
        return this.send(effect.message);
      case "wait":
        this.retry = this.ports.set(() => this.connect(), effect.milliseconds);
        return;
      case "notify":
        for (const listener of this.listeners) listener.received?.(effect.event, effect.by, before);
        return;
      case "refuse":
        for (const listener of this.listeners) listener.refused?.(effect.operation, effect.error);
    }
  }

  private open(): void {
    this.drop();
    const socket = this.ports.open();
    this.socket = socket;
    const ifCurrent = (work: () => void): void => {
      if (this.socket === socket) work();
    };
    socket.onopen = () => ifCurrent(() => this.dispatch({ type: "opened", now: this.ports.now() }));
    socket.onmessage = ({ data }) => ifCurrent(() => this.receive(data));
    socket.onclose = ({ code, reason }) =>
      ifCurrent(() => {
        this.socket = null;
        this.dispatch({ type: "closed", code, reason, jitter: this.ports.jitter() });
      });
  }

  private receive(data: unknown): void {
    let message;
    try {
      message = parseMessage(data);
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      this.drop();
      return this.dispatch({ type: "closed", code: FAULT, jitter: 0 });
    }
    this.dispatch({ type: "received", message, now: this.ports.now() });
  }

  private drop(): void {
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  /** Views and cursors: only while connected, and not into a jam. */
  private offer(message: ViewMessage | CursorMessage): void {
    if (this.state.getState().phase !== "live" || !this.socket) return;
    if (this.socket.bufferedAmount > MAX_BUFFERED)
      this.throttle.put(message.type === "view" ? `view ${message.pane}` : "cursor", message);
    else this.send(message);
  }

  private send(message: ClientMessage): void {
    this.socket?.send(JSON.stringify(message));
  }

  private tick(): void {
    this.heartbeat = this.ports.set(() => this.tick(), HEARTBEAT);
    this.dispatch({ type: "clock", now: this.ports.now() });
  }
}

/** A session's connection in a browser. `path`: as the service names it (SE6). */
export function browserConnection(path: string): Connection {
  return new Connection({
    open: () => {
      const protocol = location.protocol === "https:" ? "wss:" : "ws:";
      return socketOf(new WebSocket(Object.assign(new URL(path, location.href), { protocol })));
    },
    now: () => Date.now(),
    set: (work, milliseconds) => window.setTimeout(work, milliseconds),
    clear: (timer) => window.clearTimeout(timer),
    jitter: () => Math.random(),
    name: randomName,
  });
}

function socketOf(web: WebSocket): Socket {
  const socket: Socket = {
    onopen: null,
    onmessage: null,
    onclose: null,
    get bufferedAmount() {
      return web.bufferedAmount;
    },
    send: (text) => web.send(text),
    close: () => web.close(),
  };
  web.onopen = () => socket.onopen?.();
  web.onmessage = (event) => socket.onmessage?.(event);
  web.onclose = (event) => socket.onclose?.(event);
  return socket;
}

function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
