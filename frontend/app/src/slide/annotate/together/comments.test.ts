import { describe, expect, it } from "vitest";
import { OfflineError } from "@wavescope/core/wire/http/errors";
import type { Comment, CommentClient, CommentPage } from "@wavescope/core/wire/annotations/comments";
import { NO_COMMENTS, SlideComments, countsOf, mentionAt, threadsOf, withMention, withPage } from "./comments";

const comment = (id: string, sequence: number, more: Partial<Comment> = {}): Comment => ({
  id,
  annotation: "a",
  reply_to: null,
  sequence,
  author: "Ada",
  text: id,
  deleted: false,
  created: `2026-01-0${sequence}T00:00:00.000Z`,
  edited: null,
  mentions: [],
  own: false,
  ...more,
});

const page = (comments: Comment[], read: Record<string, number> = {}): CommentPage => ({
  comments,
  sequence: Math.max(0, ...comments.map(({ sequence }) => sequence)),
  more: false,
  read,
});

describe("AN46: threads", () => {
  it("are the comments of an annotation with their replies, the oldest first", () => {
    const state = withPage(
      NO_COMMENTS,
      page([
        comment("late", 4),
        comment("reply", 3, { reply_to: "early" }),
        comment("other", 2, { annotation: "b" }),
        comment("early", 1),
      ]),
    );
    expect(threadsOf(state, "a").map(({ comment: { id }, replies }) => [id, replies.map((one) => one.id)])).toEqual([
      ["early", ["reply"]],
      ["late", []],
    ]);
  });

  it("keep a deleted comment as long as it has replies", () => {
    const gone = { deleted: true, text: "" };
    const state = withPage(
      NO_COMMENTS,
      page([comment("a", 1, gone), comment("b", 2, gone), comment("c", 3, { reply_to: "b" })]),
    );
    expect(threadsOf(state, "a").map(({ comment: { id } }) => id)).toEqual(["b"]);
    const later = withPage(state, page([comment("c", 4, { reply_to: "b", ...gone })]));
    expect(threadsOf(later, "a")).toEqual([]);
  });
});

describe("AN49: unread comments", () => {
  it("are those by others that changed after what was read", () => {
    const all = [
      comment("a", 1),
      comment("b", 2),
      comment("mine", 3, { own: true }),
      comment("gone", 4, { deleted: true }),
    ];
    const state = withPage(NO_COMMENTS, page(all, { a: 1 }));
    expect(countsOf(state).get("a")).toEqual({ all: 3, unread: 1 });
  });

  it("never become unread again, whatever a late answer says", () => {
    const state = { ...withPage(NO_COMMENTS, page([comment("a", 2)])), read: { a: 2 } };
    expect(withPage(state, page([], { a: 1 })).read).toEqual({ a: 2 });
  });
});

describe("AN48: a mention that is typed", () => {
  it.each([
    ["@", "", 1],
    ["see @an", "an", 7],
    ["see @Anna We", "Anna We", 12],
    ["mail@an", null, 7],
    ["@an\n", null, 4],
    ["@anna", "an", 3],
    ["no", null, 2],
  ])("in %j is %j", (text, found, caret) => {
    expect(mentionAt(text, caret)).toBe(found);
  });

  it("is replaced by the name, and the caret stands behind it", () => {
    expect(withMention("see @an here", 7, "Anna")).toEqual({ text: "see @Anna  here", caret: 10 });
  });
});

class FakeClient implements CommentClient {
  readonly asked: (number | null)[] = [];
  readonly marks: [string, number][] = [];
  offline = false;
  constructor(private readonly stored: CommentPage) {}

  page: CommentClient["page"] = (since) => {
    this.asked.push(since);
    return this.offline ? Promise.reject(new OfflineError("no answer")) : Promise.resolve(this.stored);
  };
  save: CommentClient["save"] = ({ id, text }) => Promise.resolve(comment(id, 9, { text, own: true }));
  remove: CommentClient["remove"] = () => Promise.resolve();
  read: CommentClient["read"] = (...mark) => Promise.resolve(void this.marks.push(mark));
  people: CommentClient["people"] = () => Promise.resolve([]);
}

const rest = async (): Promise<void> => {
  for (let i = 0; i < 8; i += 1) await Promise.resolve();
};

describe("AN47: the comments of a slide", () => {
  it("are requested only when the service reports news", async () => {
    const client = new FakeClient(page([comment("a", 1)]));
    const comments = new SlideComments(client);
    comments.follow(0);
    expect(client.asked).toEqual([]); // there never was one
    comments.follow(1);
    comments.follow(1);
    await rest();
    comments.follow(1);
    expect(client.asked).toEqual([null]);
    comments.follow(2);
    expect(client.asked).toEqual([null, 1]);
  });

  it("are not requested again at once after a failure", async () => {
    const client = new FakeClient(page([]));
    client.offline = true;
    const comments = new SlideComments(client);
    comments.follow(1);
    await rest();
    comments.follow(1);
    expect(client.asked).toEqual([null]);
  });

  it("are marked as read once, up to what is known", async () => {
    const client = new FakeClient(page([comment("a", 1), comment("b", 2)]));
    const comments = new SlideComments(client);
    comments.markRead("a"); // nothing is known yet
    comments.follow(2);
    await rest();
    comments.markRead("a");
    comments.markRead("a");
    expect(client.marks).toEqual([["a", 2]]);
    expect(countsOf(comments.state.getState()).get("a")).toEqual({ all: 2, unread: 0 });
  });

  it("have what was sent, and not what was deleted", async () => {
    const comments = new SlideComments(new FakeClient(page([])));
    await comments.save("a", null, "new", "hello");
    const { comment: sent } = threadsOf(comments.state.getState(), "a")[0]!;
    expect([sent.id, sent.text]).toEqual(["new", "hello"]);
    await comments.remove(sent);
    expect(threadsOf(comments.state.getState(), "a")).toEqual([]);
  });
});
