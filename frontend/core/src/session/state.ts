/** The state of a live session (session.md, SE2; the types are made of its schema), and who may do what in it. */
import type * as Wire from "../wire/generated/types";
import type { Fixed } from "../wire/http/json";

export type SessionState = Fixed<Wire.State>;
export type Member = Fixed<Wire.Member>;
export type Settings = Fixed<Wire.Settings>;
export type Stage = Fixed<Wire.Stage>;
export type SharedComparison = Fixed<Wire.Pair>;
export type SharedLink = Fixed<Wire.Link>;
export type SharedView = Fixed<Wire.View>;
export type Motion = Fixed<Wire.Motion>;
export type ViewEntry = Fixed<Wire.ViewEntry>;
export type CursorEntry = Fixed<Wire.Cursor>;
export type Note = Fixed<Wire.Note>;
export type Poll = Fixed<Wire.Poll>;
export type PollAnswer = Fixed<Wire.PollAnswer>;
export type PollResults = Fixed<Wire.PollResults>;
export type Question = Fixed<Wire.Question>;
export type Place = Fixed<Wire.Place>;
export type Private = Fixed<Wire.Private>;
export type Group = Fixed<Wire.Group>;
export type SlideName = Fixed<Wire.Slide>;
export type SessionEvent = Fixed<Wire.EventMessage["event"]>;
export type RecordingEntry = Fixed<Wire.RecordingEntry>;
export type Refusal = Fixed<Wire.Refusal>;
export type ClientMessage = Fixed<Wire.ClientMessage>;
export type SentOperation = Extract<ClientMessage, { readonly ref: number }>;
type Unnumbered<T> = T extends unknown ? Omit<T, "ref"> : never;
export type Operation = Unnumbered<SentOperation>;

export const memberOf = (state: SessionState, id: string | null): Member | null =>
  state.members.find((member) => member.id === id) ?? null;

/** The group that a member is in; null: with all. */
export const groupOf = ({ groups = [] }: SessionState, id: string | null): Group | null =>
  groups.find(({ members }) => members.some((member) => member === id)) ?? null;

/** The session as a member sees it: in a group, the group's presenter, stage, views and cursors (SE63). */
export function seenBy(state: SessionState, id: string): SessionState {
  if (!state.groups?.length) return state;
  const group = groupOf(state, id);
  const cursors = state.cursors.filter(({ by }) => groupOf(state, by)?.id === group?.id);
  if (!group) return { ...state, cursors };
  const { presenter, lost_until, stage, views } = group;
  return { ...state, presenter, lost_until, stage, views, cursors };
}

/** Owner, presenter, who was allowed to, or anybody while everyone may (session.md, 6). */
export function mayNote(state: SessionState, id: string): boolean {
  return (
    id === state.owner ||
    id === state.presenter ||
    state.settings.everyone_steers ||
    (memberOf(state, id)?.steers ?? false)
  );
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
  const steers = mayNote(state, id) || groupOf(state, id) !== null;
  return id === state.owner || (steers && (state.presenter === null || state.settings.everyone_steers));
}

export const mayHandOver = (state: SessionState, id: string): boolean => id === state.owner || id === state.presenter;

/** The newest poll; null before there is one. */
export const newestPoll = ({ polls = [] }: SessionState): Poll | null => polls.at(-1) ?? null;

/** Those to be answered first: the open ones, then those with the most votes, then the oldest. */
export function sortedQuestions({ questions = [] }: SessionState): readonly Question[] {
  return questions.toSorted(
    (a, b) => Number(a.answered) - Number(b.answered) || b.votes - a.votes || a.asked - b.asked,
  );
}

/** Those present with a raised hand, in the order in which they raised it. */
export function raisedHands({ members }: SessionState): readonly Member[] {
  return members.filter(({ hand, present }) => present && hand !== null).sort((a, b) => a.hand! - b.hand!);
}

/** The entry that was moved last in the stage of now; null before there is one. */
export function shownEntry(state: SessionState, pane: number): ViewEntry | null {
  return state.views.findLast((entry) => entry.pane === pane && entry.stage === state.stage.number) ?? null;
}
