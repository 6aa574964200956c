/** Events and ticks folded over the state: pure, and the same on both sides (session.md, 5). */
import type { CursorEntry, Poll, SessionEvent, SessionState, ViewEntry } from "./state";

/** What a tick brings; `stage`: the one its cursors belong to. */
export interface Tick {
  readonly stage?: number;
  readonly views?: readonly ViewEntry[] | null;
  readonly cursors?: readonly CursorEntry[] | null;
  readonly annotations?: SessionState["annotations"] | null;
}

const MAX_NOTES = 200;
const MAX_POLLS = 10;

/** The state after an event (SE19: it has the next number). */
export function foldEvent(state: SessionState, event: SessionEvent): SessionState {
  return { ...changed(state, event), sequence: state.sequence + 1 };
}

function changed(state: SessionState, event: SessionEvent): SessionState {
  switch (event.kind) {
    case "member":
      return { ...state, members: replaced(state.members, event.member, (member) => member.id) };
    case "absent": {
      const gone = new Set(event.members);
      const members = state.members.map((member) =>
        gone.has(member.id) ? { ...member, present: false, hand: null } : member,
      );
      return { ...state, members, cursors: state.cursors.filter(({ by }) => !gone.has(by)) };
    }
    case "gone": {
      const cursors = state.cursors.filter(({ by }) => by !== event.member);
      return { ...state, members: state.members.filter(({ id }) => id !== event.member), cursors };
    }
    case "hands-lowered": {
      const lowered = new Set(event.members);
      return { ...state, members: state.members.map((one) => (lowered.has(one.id) ? { ...one, hand: null } : one)) };
    }
    case "presenter":
      return { ...state, presenter: event.presenter, lost_until: event.lost_until };
    case "state":
      return { ...state, state: event.state };
    case "settings":
      return { ...state, settings: event.settings };
    case "title":
      return { ...state, title: event.title, code: event.code };
    case "slides": {
      const ids = new Set(event.slides.map(({ id }) => id));
      return { ...state, slides: event.slides, annotations: state.annotations.filter(({ slide }) => ids.has(slide)) };
    }
    case "stage":
      return { ...state, stage: event.stage, views: event.views, cursors: [] };
    case "note":
      return { ...state, notes: [...state.notes, event.note].slice(-MAX_NOTES) };
    case "poll":
      return { ...state, polls: withPoll(state.polls ?? [], event.poll) };
    case "poll-answered": {
      const polls = (state.polls ?? []).map((one) =>
        one.id === event.poll ? { ...one, answered: event.answered } : one,
      );
      return { ...state, polls };
    }
    case "poll-deleted":
      return { ...state, polls: (state.polls ?? []).filter(({ id }) => id !== event.poll) };
    case "question":
      return { ...state, questions: replaced(state.questions ?? [], event.question, ({ id }) => id) };
    case "question-voted": {
      const questions = (state.questions ?? []).map((one) =>
        one.id === event.question ? { ...one, votes: event.votes } : one,
      );
      return { ...state, questions };
    }
    case "question-gone":
      return { ...state, questions: (state.questions ?? []).filter(({ id }) => id !== event.question) };
    case "recording":
      return { ...state, recording: event.recording };
    case "groups":
      return { ...state, groups: event.groups, cursors: [] };
    case "group": {
      const groups = (state.groups ?? []).map((one) => (one.id === event.group.id ? event.group : one));
      const members = new Set<string>(event.group.members);
      return { ...state, groups, cursors: state.cursors.filter(({ by }) => !members.has(by)) };
    }
  }
}

/** The state after a tick, and what belongs to stages that are still to come (SE16). */
export function foldTick(
  state: SessionState,
  tick: Tick,
): { readonly state: SessionState; readonly early: readonly ViewEntry[] } {
  const { stage: now = state.stage.number } = tick;
  const { groups } = state;
  const views = tick.views ?? [];
  const known = new Set([state.stage.number, ...(groups ?? []).map(({ stage }) => stage.number)]);
  const cursors = known.has(now) ? (tick.cursors ?? []) : [];
  const annotations = tick.annotations ?? [];
  const on = (number: number): readonly ViewEntry[] => views.filter(({ stage }) => stage === number);
  const moved = groups?.map((group) => ({ ...group, views: on(group.stage.number).reduce(movedLast, group.views) }));
  const next = {
    ...state,
    ...(moved && { groups: moved }),
    views: on(state.stage.number).reduce(movedLast, state.views),
    cursors: cursors.reduce(pointed, state.cursors),
    annotations: annotations.reduce((all, entry) => replaced(all, entry, ({ slide }) => slide), state.annotations),
  };
  return { state: next, early: views.filter(({ stage }) => stage > Math.max(...known)) };
}

function movedLast(views: readonly ViewEntry[], entry: ViewEntry): readonly ViewEntry[] {
  return [...views.filter(({ pane }) => pane !== entry.pane), entry];
}

function pointed(cursors: readonly CursorEntry[], cursor: CursorEntry): readonly CursorEntry[] {
  if (cursor.l0_x === null || cursor.l0_y === null) return cursors.filter(({ by }) => by !== cursor.by);
  return replaced(cursors, cursor, ({ by }) => by);
}

/** The polls, the newest last, also after one was restored. */
function withPoll(polls: readonly Poll[], poll: Poll): readonly Poll[] {
  return replaced(polls, poll, ({ id }) => id)
    .toSorted((a, b) => a.asked - b.asked)
    .slice(-MAX_POLLS);
}

/** The list with one in place of that with its name, or at the end. */
function replaced<T>(list: readonly T[], item: T, name: (item: T) => string): readonly T[] {
  const at = list.findIndex((other) => name(other) === name(item));
  return at < 0 ? [...list, item] : list.with(at, item);
}
