/** The state of a live session as session.md has it (SE2), and who may do what in it. Names are those of the wire. */
import type { Json } from "../wire/shape";

export interface SharedView {
  readonly l0_x: number;
  readonly l0_y: number;
  /** The extent that must be seen, along the screen's axes before the slide is turned. */
  readonly l0_width: number;
  readonly l0_height: number;
  readonly rotation: number;
  readonly flip: boolean;
  readonly plane: number;
  readonly adjustments: Json | null;
}

/** Where the presenter goes: a hint for fetching (SE36). Level-0 pixels a second. */
export interface Motion {
  readonly l0_vx: number;
  readonly l0_vy: number;
  readonly target: SharedView | null;
}

export interface Swipe {
  readonly divider: number;
  readonly blend: number;
}

/** 0: the only or left picture, 1: the right one. */
export type Pane = 0 | 1;

export interface ViewEntry {
  readonly pane: Pane;
  readonly stage: number;
  readonly by: string;
  readonly view: SharedView;
  readonly motion: Motion | null;
  readonly swipe: Swipe | null;
}

/** Both coordinates null: hidden. */
export interface CursorEntry {
  readonly by: string;
  readonly pane: Pane;
  readonly l0_x: number | null;
  readonly l0_y: number | null;
  readonly laser: boolean;
}

export interface SharedLink {
  readonly scale: number;
  readonly rotation: number;
  readonly mirrored: boolean;
  readonly plane_step: number;
  readonly plane_shift: number;
  readonly l0_dx: number;
  readonly l0_dy: number;
  readonly zoom: number;
}

export interface SharedPair {
  readonly slide: string;
  readonly mode: "side" | "swipe";
  readonly swapped: boolean;
  readonly link: SharedLink | null;
}

export interface Stage {
  readonly number: number;
  readonly slide: string;
  readonly pair: SharedPair | null;
  readonly tour: { readonly id: string; readonly waypoint: string } | null;
}

export interface Member {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly kind: "user" | "guest";
  readonly steers: boolean;
  readonly following: boolean;
  readonly present: boolean;
  readonly hand: number | null;
  readonly joined: number;
}

export interface Note {
  readonly time: number;
  readonly by: string;
  readonly text: string;
}

export interface Settings {
  readonly everyone_steers: boolean;
  readonly guests_annotate: boolean;
  readonly locked: boolean;
}

export interface SlideName {
  readonly id: string;
  readonly title: string;
}

export interface SessionState {
  readonly id: string;
  readonly code: string;
  readonly title: string;
  readonly state: "live" | "paused" | "ended";
  readonly sequence: number;
  readonly started: number;
  readonly owner: string;
  readonly presenter: string | null;
  readonly lost_until: number | null;
  readonly settings: Settings;
  readonly recording: { readonly id: string; readonly since: number } | null;
  readonly slides: readonly SlideName[];
  readonly stage: Stage;
  readonly members: readonly Member[];
  readonly notes: readonly Note[];
  readonly views: readonly ViewEntry[];
  readonly cursors: readonly CursorEntry[];
  readonly annotations: readonly { readonly slide: string; readonly sequence: number }[];
}

export const memberOf = (state: SessionState, id: string | null): Member | null => state.members.find((one) => one.id === id) ?? null;

/** Owner, presenter, who was allowed to, or anybody while everyone may (session.md, 6). */
export function mayNote(state: SessionState, id: string): boolean {
  return id === state.owner || id === state.presenter || state.settings.everyone_steers || (memberOf(state, id)?.steers ?? false);
}

/** Whether what this member does with the picture moves everybody's (SE17, SE18). `following`: whether it wants to be with the others. */
export function leads(state: SessionState, id: string, following: boolean): boolean {
  if (state.state !== "live") return false;
  return id === state.presenter || (state.settings.everyone_steers && following);
}

/** Whether the picture of this member goes where the presenter's goes. */
export function follows(state: SessionState, id: string, following: boolean): boolean {
  return state.state === "live" && state.presenter !== null && id !== state.presenter && following;
}

export function mayTakeOver(state: SessionState, id: string): boolean {
  if (state.state === "ended" || id === state.presenter) return false;
  return id === state.owner || (mayNote(state, id) && (state.presenter === null || state.settings.everyone_steers));
}

export const mayHandOver = (state: SessionState, id: string): boolean => id === state.owner || id === state.presenter;

/** The entry that was moved last in the stage of now; null before there is one. */
export function shownEntry(state: SessionState, pane: Pane): ViewEntry | null {
  return state.views.findLast((entry) => entry.pane === pane && entry.stage === state.stage.number) ?? null;
}
