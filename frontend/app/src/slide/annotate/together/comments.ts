/** The comments of an open slide: threads, and what is unread (annotations.md, AN46 to AN49). Without React. */
import { createStore } from "zustand/vanilla";
import {
  type Comment,
  type CommentClient,
  type CommentPage,
  commentClient,
} from "@wavescope/core/wire/annotations/comments";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { newId } from "@wavescope/viewer/core/newId";

export interface CommentState {
  readonly comments: ReadonlyMap<string, Comment>;
  /** By annotation, up to which sequence the user has read. */
  readonly read: Readonly<Record<string, number>>;
  /** Null: not loaded. */
  readonly sequence: number | null;
}

export interface Thread {
  readonly comment: Comment;
  readonly replies: readonly Comment[];
}

export const NO_COMMENTS: CommentState = { comments: new Map(), read: {}, sequence: null };

/** The state with what a page says. What was read never becomes unread. */
export function withPage(state: CommentState, page: CommentPage): CommentState {
  const comments = new Map(state.comments);
  for (const comment of page.comments) comments.set(comment.id, comment);
  const read = { ...state.read };
  for (const [annotation, sequence] of Object.entries(page.read))
    read[annotation] = Math.max(sequence, read[annotation] ?? 0);
  return { comments, read, sequence: page.sequence };
}

const byTime = (a: Comment, b: Comment): number => a.created.localeCompare(b.created) || a.id.localeCompare(b.id);

/** The threads of an annotation, the oldest first. A deleted comment stays where it has replies. */
export function threadsOf({ comments }: CommentState, annotation: string): Thread[] {
  const here = [...comments.values()].filter((comment) => comment.annotation === annotation).sort(byTime);
  return here
    .filter(({ reply_to: replyTo }) => replyTo === null)
    .map((comment) => ({
      comment,
      replies: here.filter(({ reply_to: replyTo, deleted }) => replyTo === comment.id && !deleted),
    }))
    .filter(({ comment, replies }) => !comment.deleted || replies.length > 0);
}

export interface Count {
  readonly all: number;
  readonly unread: number;
}

const NONE: Count = { all: 0, unread: 0 };
const counted = new WeakMap<CommentState, ReadonlyMap<string, Count>>();

/** How many comments each annotation has; those by others that the user has not read are unread. */
export function countsOf(state: CommentState): ReadonlyMap<string, Count> {
  const known = counted.get(state);
  if (known) return known;
  const counts = new Map<string, Count>();
  for (const { annotation, deleted, own, sequence } of state.comments.values()) {
    if (deleted) continue;
    const { all, unread } = counts.get(annotation) ?? NONE;
    const isUnread = !own && sequence > (state.read[annotation] ?? 0);
    counts.set(annotation, { all: all + 1, unread: unread + (isUnread ? 1 : 0) });
  }
  counted.set(state, counts);
  return counts;
}

/** The beginning of a name that is typed after an @, up to the caret; null: none is. */
export function mentionAt(text: string, caret: number): string | null {
  return /(?:^|[^\p{L}\p{N}])@([^@\n]{0,40})$/u.exec(text.slice(0, caret))?.[1] ?? null;
}

/** The text with a name in place of what is typed after the @, and where the caret is then. */
export function withMention(text: string, caret: number, name: string): { text: string; caret: number } {
  const start = caret - (mentionAt(text, caret)?.length ?? 0);
  const inserted = `${name} `;
  return { text: text.slice(0, start) + inserted + text.slice(caret), caret: start + inserted.length };
}

const RETRY = 3000; // milliseconds

export class SlideComments {
  readonly state = createStore<CommentState>(() => NO_COMMENTS);
  /** What is typed and not sent, by annotation or by the comment that it answers. */
  readonly drafts = new Map<string, { readonly id: string; readonly text: string }>();
  private loading: Promise<void> | null = null;
  private tried = -Infinity;

  constructor(readonly client: CommentClient) {}

  /** Reads what has changed, up to a sequence at least; 0: there never was a comment. What fails is tried again, not at once. */
  follow(sequence: number): void {
    const known = this.state.getState().sequence ?? 0;
    if (known >= sequence || this.loading !== null || performance.now() - this.tried < RETRY) return;
    this.loading = this.load()
      .then(
        () => (this.tried = -Infinity),
        () => (this.tried = performance.now()),
      )
      .then(() => void (this.loading = null));
  }

  async save(annotation: string, replyTo: string | null, id: string, text: string): Promise<void> {
    const saved = await this.client.save({ id, annotation, replyTo, text });
    this.put(saved);
  }

  async remove(comment: Comment): Promise<void> {
    await this.client.remove(comment.id);
    this.put({ ...comment, deleted: true, text: "" });
  }

  /** The user sees the comments on an annotation. */
  markRead(annotation: string): void {
    const state = this.state.getState();
    if (state.sequence === null || (countsOf(state).get(annotation)?.unread ?? 0) === 0) return;
    const { sequence } = state;
    this.state.setState({ read: { ...state.read, [annotation]: sequence } });
    this.client.read(annotation, sequence).catch(() => undefined); // guests have no marks that are stored
  }

  private put(comment: Comment): void {
    const { comments } = this.state.getState();
    this.state.setState({ comments: new Map(comments).set(comment.id, comment) });
  }

  private async load(): Promise<void> {
    for (let more = true; more; ) {
      const page = await this.client.page(this.state.getState().sequence);
      this.state.setState(withPage(this.state.getState(), page));
      more = page.more;
    }
  }
}

const opened = new WeakMap<Annotations, SlideComments>();

/** The comments of the slide of these annotations; they follow what the service reports. */
export function commentsOf(annotations: Annotations): SlideComments {
  const known = opened.get(annotations);
  if (known) return known;
  const { store, layer } = annotations;
  const comments = new SlideComments(commentClient(layer.microscope.manifest.id));
  opened.set(annotations, comments);
  comments.follow(store.state.getState().comments);
  store.state.subscribe(({ comments: newest }) => comments.follow(newest));
  return comments;
}

/** What is typed for an annotation or as an answer, with the id that it will have. */
export const draftOf = (comments: SlideComments, place: string): { readonly id: string; readonly text: string } =>
  comments.drafts.get(place) ?? { id: newId(), text: "" };
