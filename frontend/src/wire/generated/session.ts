/* eslint-disable */
// Made of shared/wire/session.schema.json by shared/tools/generate-wire.mjs. Not to be changed by hand.

/**
 * What goes over the wire of a session: what clients send, what the service sends, what recordings hold.
 */
export interface SessionWire {
  client:
    | Hello
    | Ping
    | Looking
    | Pointing
    | Follow
    | Rename
    | Hand
    | Present
    | Allow
    | Pause
    | Choose
    | Slides
    | SetStage
    | MakeNote
    | Record
    | Remove
    | Leave
    | End;
  entry: StateEntry | EventEntry | ViewsEntry | CursorsEntry | AnnotationsEntry;
  server: Welcome | EventMessage | Tick | Ack | Pong;
}
/**
 * The first message of a connection (SE13).
 */
export interface Hello {
  client: string;
  sequence: number | null;
  type: "hello";
  /**
   * @minItems 1
   * @maxItems 16
   */
  versions: number[];
}
/**
 * Asks for a ``pong``.
 */
export interface Ping {
  t: number;
  type: "ping";
}
/**
 * The sender's view; last write wins (SE17).
 */
export interface Looking {
  motion: Motion | null;
  pane: number;
  stage: number;
  swipe: Swipe | null;
  type: "view";
  view: View;
}
/**
 * Where the view goes: a hint for prefetch.
 */
export interface Motion {
  l0_vx: number;
  l0_vy: number;
  target: View | null;
}
/**
 * A field of view in level-0 pixels, as in tours (TO5).
 */
export interface View {
  adjustments: {
    [k: string]: number | boolean | number[] | null;
  } | null;
  flip: boolean;
  l0_height: number;
  l0_width: number;
  l0_x: number;
  l0_y: number;
  plane: number;
  rotation: number;
}
/**
 * Where the field is divided between two slides, and how much of the upper one is seen.
 */
export interface Swipe {
  blend: number;
  divider: number;
}
/**
 * The sender's cursor; last write wins (SE17).
 */
export interface Pointing {
  l0_x: number | null;
  l0_y: number | null;
  laser: boolean;
  pane: number;
  stage: number;
  type: "cursor";
}
/**
 * Whether the sender follows the presenter.
 */
export interface Follow {
  following: boolean;
  ref: number;
  type: "follow";
}
/**
 * Another nickname.
 */
export interface Rename {
  name: string;
  ref: number;
  type: "name";
}
/**
 * Raises the sender's hand, or lowers a member's.
 */
export interface Hand {
  member: string;
  raised: boolean;
  ref: number;
  type: "hand";
}
/**
 * Hands the presenting over, or takes it.
 */
export interface Present {
  member: string;
  ref: number;
  type: "present";
}
/**
 * Gives or takes the right to steer.
 */
export interface Allow {
  member: string;
  ref: number;
  steers: boolean;
  type: "allow";
}
/**
 * Pauses, or goes on.
 */
export interface Pause {
  paused: boolean;
  ref: number;
  type: "pause";
}
/**
 * The session's settings, whole.
 */
export interface Choose {
  ref: number;
  settings: Settings;
  type: "settings";
}
/**
 * What the owner has chosen.
 */
export interface Settings {
  everyone_steers: boolean;
  guests_annotate: boolean;
  locked: boolean;
}
/**
 * The session's slides, in order.
 */
export interface Slides {
  ref: number;
  /**
   * @minItems 1
   * @maxItems 50
   */
  slides: string[];
  type: "slides";
}
/**
 * Another slide, another pair, another step of a tour.
 */
export interface SetStage {
  ref: number;
  stage: Scene;
  type: "stage";
  /**
   * @maxItems 2
   */
  views: StartView[];
}
/**
 * A stage without its number: as a client asks for it.
 */
export interface Scene {
  pair: Pair | null;
  slide: string;
  tour: TourStep | null;
}
/**
 * A second slide beside or upon the first.
 */
export interface Pair {
  link: Link | null;
  mode: "side" | "swipe";
  slide: string;
  swapped: boolean;
}
/**
 * How the right slide lies upon the left one: right = scale R(rotation) M left + (l0_dx, l0_dy).
 */
export interface Link {
  l0_dx: number;
  l0_dy: number;
  mirrored: boolean;
  plane_shift: number;
  plane_step: number;
  rotation: number;
  scale: number;
  zoom: number;
}
/**
 * A waypoint of a guided tour.
 */
export interface TourStep {
  id: string;
  waypoint: string;
}
/**
 * A view to begin with on a new stage.
 */
export interface StartView {
  pane: number;
  view: View;
}
/**
 * A note.
 */
export interface MakeNote {
  ref: number;
  text: string;
  type: "note";
}
/**
 * Begins or ends a recording.
 */
export interface Record {
  on: boolean;
  ref: number;
  type: "record";
}
/**
 * Removes a member.
 */
export interface Remove {
  member: string;
  ref: number;
  type: "remove";
}
/**
 * Goes for good.
 */
export interface Leave {
  ref: number;
  type: "leave";
}
/**
 * Ends the session.
 */
export interface End {
  ref: number;
  type: "end";
}
/**
 * The state in which it begins; without the code.
 */
export interface StateEntry {
  kind: "state";
  state: State;
  time: number;
}
/**
 * All that a client must know (SE2).
 */
export interface State {
  annotations: Changes[];
  code: string;
  cursors: Cursor[];
  id: string;
  lost_until: number | null;
  members: Member[];
  notes: Note[];
  owner: string;
  presenter: string | null;
  recording: Recording | null;
  sequence: number;
  settings: Settings;
  slides: Slide[];
  stage: Stage;
  /**
   * milliseconds since 1970
   */
  started: number;
  state: "live" | "paused" | "ended";
  title: string;
  views: Look[];
}
/**
 * The newest change of a slide's annotations (AN8).
 */
export interface Changes {
  sequence: number;
  slide: string;
}
/**
 * Where a member points; null, null: hidden.
 */
export interface Cursor {
  by: string;
  l0_x: number | null;
  l0_y: number | null;
  laser: boolean;
  pane: number;
}
/**
 * A person in the session, connected or not.
 */
export interface Member {
  color: string;
  following: boolean;
  hand: number | null;
  id: string;
  /**
   * milliseconds since 1970
   */
  joined: number;
  kind: "user" | "guest";
  name: string;
  present: boolean;
  steers: boolean;
}
/**
 * A word to remember.
 */
export interface Note {
  by: string;
  text: string;
  /**
   * milliseconds since 1970
   */
  time: number;
}
/**
 * The recording that runs.
 */
export interface Recording {
  id: string;
  /**
   * milliseconds since 1970
   */
  since: number;
}
/**
 * A slide of the session.
 */
export interface Slide {
  id: string;
  title: string;
}
/**
 * What all look at together; ``number`` counts its changes.
 */
export interface Stage {
  number: number;
  pair: Pair | null;
  slide: string;
  tour: TourStep | null;
}
/**
 * The view of one pane; an entry of ``views``.
 */
export interface Look {
  by: string;
  motion: Motion | null;
  pane: number;
  stage: number;
  swipe: Swipe | null;
  view: View;
}
/**
 * A change of the state.
 */
export interface EventEntry {
  by: string | null;
  event:
    | MemberChanged
    | MembersAbsent
    | MemberGone
    | PresenterChanged
    | PhaseChanged
    | SettingsChanged
    | TitleChanged
    | SlidesChanged
    | StageChanged
    | NoteMade
    | RecordingChanged;
  kind: "event";
  sequence: number;
  time: number;
}
/**
 * A member joined or changed.
 */
export interface MemberChanged {
  kind: "member";
  member: Member;
}
/**
 * They have no connection any more; hands lowered, cursors hidden.
 */
export interface MembersAbsent {
  kind: "absent";
  members: string[];
}
/**
 * A member left or was removed.
 */
export interface MemberGone {
  kind: "gone";
  member: string;
  reason: "left" | "removed";
}
/**
 * Who presents, and how long an absent presenter is waited for.
 */
export interface PresenterChanged {
  kind: "presenter";
  lost_until: number | null;
  presenter: string | null;
  reason: "handed" | "taken" | "steering" | "lost" | "returned" | "grace" | "left";
}
/**
 * Live, paused, ended.
 */
export interface PhaseChanged {
  kind: "state";
  reason: "asked" | "lost" | "returned" | "idle";
  state: "live" | "paused" | "ended";
}
/**
 * The owner's choices.
 */
export interface SettingsChanged {
  kind: "settings";
  settings: Settings;
}
/**
 * The session's name or its code.
 */
export interface TitleChanged {
  code: string;
  kind: "title";
  title: string;
}
/**
 * The slides of the session.
 */
export interface SlidesChanged {
  kind: "slides";
  slides: Slide[];
}
/**
 * What all look at, with the views to begin with.
 */
export interface StageChanged {
  kind: "stage";
  stage: Stage;
  views: Look[];
}
/**
 * A note was written.
 */
export interface NoteMade {
  kind: "note";
  note: Note;
}
/**
 * A recording began or ended.
 */
export interface RecordingChanged {
  kind: "recording";
  recording: Recording | null;
}
/**
 * The views that changed, as ticked.
 */
export interface ViewsEntry {
  kind: "views";
  time: number;
  views: Look[];
}
/**
 * The cursors that changed, as ticked.
 */
export interface CursorsEntry {
  cursors: Cursor[];
  kind: "cursors";
  time: number;
}
/**
 * Annotations of a slide that changed (objects as in AN2); the first of a slide holds all that live.
 */
export interface AnnotationsEntry {
  changed: {
    [k: string]: unknown;
  }[];
  kind: "annotations";
  slide: string;
  time: number;
}
/**
 * The service's first message (SE14).
 */
export interface Welcome {
  last_ref: number;
  resumed: boolean;
  state: State | null;
  tick_ms: number;
  /**
   * milliseconds since 1970
   */
  time: number;
  type: "welcome";
  version: number;
  you: string;
}
/**
 * A change of the state; ``by`` null: the service.
 */
export interface EventMessage {
  by: string | null;
  event:
    | MemberChanged
    | MembersAbsent
    | MemberGone
    | PresenterChanged
    | PhaseChanged
    | SettingsChanged
    | TitleChanged
    | SlidesChanged
    | StageChanged
    | NoteMade
    | RecordingChanged;
  sequence: number;
  /**
   * milliseconds since 1970
   */
  time: number;
  type: "event";
}
/**
 * What changed of that which is last-write-wins; members that did not are left out.
 */
export interface Tick {
  annotations: Changes[] | null;
  cursors: Cursor[] | null;
  stage: number;
  /**
   * milliseconds since 1970
   */
  time: number;
  type: "tick";
  views: Look[] | null;
}
/**
 * An operation was done, or refused.
 */
export interface Ack {
  error: Refusal | null;
  ref: number;
  sequence: number;
  type: "ack";
}
/**
 * Why an operation was not done (SE21).
 */
export interface Refusal {
  code: "not-allowed" | "unknown-member" | "unknown-slide" | "unknown-tour" | "busy" | "paused" | "full" | "too-fast";
  detail: string;
}
/**
 * The answer to ``ping``.
 */
export interface Pong {
  t: number;
  /**
   * milliseconds since 1970
   */
  time: number;
  type: "pong";
}
