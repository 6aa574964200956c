/** Comments on annotations (annotations.md, section 10). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import type { Fixed } from "../http/json";

export type Comment = Fixed<Wire.CommentView>;
export type Mention = Fixed<Wire.MentionView>;

export interface CommentPage {
  /** In the order of their last change, deleted ones among them. */
  readonly comments: readonly Comment[];
  readonly sequence: number;
  readonly more: boolean;
  /** By annotation, up to which sequence the account has read. */
  readonly read: Readonly<Record<string, number>>;
}

export interface NewComment {
  readonly id: string;
  readonly annotation: string;
  readonly replyTo: string | null;
  readonly text: string;
}

/** The calls of the comments of one slide; a fake of it is all that tests need. */
export interface CommentClient {
  /** What has changed after `since`; null: all that there are. */
  page(since: number | null): Promise<CommentPage>;
  /** A new comment or another text of it; sent again it changes nothing. */
  save(comment: NewComment): Promise<Comment>;
  remove(id: string): Promise<void>;
  /** The user has read the comments on an annotation. */
  read(annotation: string, sequence: number): Promise<void>;
  /** Names of people whom a comment may mention. */
  people(search: string): Promise<readonly string[]>;
}

export function commentClient(slide: string): CommentClient {
  const path = { slide_id: slide };
  return {
    page: (since) => call("GET /slides/{slide_id}/comments", { path, query: { since: since ?? undefined } }),
    save: ({ id, annotation, replyTo, text }) =>
      call("PUT /slides/{slide_id}/comments/{comment_id}", {
        path: { ...path, comment_id: id },
        body: { annotation, reply_to: replyTo, text },
      }),
    remove: async (id) => {
      await call("DELETE /slides/{slide_id}/comments/{comment_id}", { path: { ...path, comment_id: id } });
    },
    read: async (annotation, sequence) => {
      await call("POST /slides/{slide_id}/comments:read", { path, body: { annotation, sequence } });
    },
    people: async (search) => (await call("GET /slides/{slide_id}/people", { path, query: { search } })).names,
  };
}

/** Unread comments on all slides that name the user, the newest first. */
export async function readMentions(): Promise<readonly Mention[]> {
  return (await call("GET /me/mentions")).mentions;
}
