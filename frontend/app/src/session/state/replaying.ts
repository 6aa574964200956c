/** A recording instead of a live connection: its events are folded, and nothing is sent. */
import { type StoreApi, createStore } from "zustand/vanilla";
import { type ClientState, startClient } from "@wavescope/core/session/client";
import type { SessionLink } from "@wavescope/core/session/connection";
import type { Replay } from "@wavescope/core/session/replay";
import type { Operation } from "@wavescope/core/session/state";

export interface Playing {
  /** Milliseconds from the beginning. */
  readonly time: number;
  readonly playing: boolean;
  readonly speed: number;
}

export const SPEEDS = [0.5, 1, 2, 4, 8];

/** The viewer of a recording is not a member of its session. */
const NO_MEMBER = "";

export class ReplayLink implements SessionLink {
  readonly state: StoreApi<ClientState>;
  readonly playing = createStore<Playing>(() => ({ time: 0, playing: false, speed: 1 }));
  private frame: number | null = null;

  constructor(readonly replay: Replay) {
    this.state = createStore<ClientState>(() => ({
      ...startClient("replay"),
      phase: "live",
      you: NO_MEMBER,
      session: replay.at(0),
      unanswered: [{ type: "follow", following: true, ref: 1 }],
    }));
  }

  connect(): void {
    this.play(true);
  }

  /** Only whether one follows: what was recorded stays as it is. */
  operate(operation: Operation): void {
    if (operation.type === "follow") this.state.setState({ unanswered: [{ ...operation, ref: 1 }] });
  }

  view(): void {
    return undefined;
  }

  cursor(): void {
    return undefined;
  }

  listen(): () => void {
    return () => undefined;
  }

  close(): void {
    this.play(false);
  }

  play(playing: boolean): void {
    if (playing && this.playing.getState().time >= this.replay.duration) this.seek(0);
    this.playing.setState({ playing });
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.frame = playing ? requestAnimationFrame((now) => this.advance(now, now)) : null;
  }

  setSpeed(speed: number): void {
    this.playing.setState({ speed });
  }

  seek(time: number): void {
    const at = Math.min(Math.max(0, time), this.replay.duration);
    this.playing.setState({ time: at });
    this.state.setState({ session: this.replay.at(at) });
  }

  private advance(before: number, now: number): void {
    const { time, speed } = this.playing.getState();
    this.seek(time + speed * (now - before));
    if (this.playing.getState().time >= this.replay.duration) return this.play(false);
    this.frame = requestAnimationFrame((next) => this.advance(now, next));
  }
}
