import { describe, expect, it } from "vitest";
import {
  type Poll,
  type Question,
  follows,
  leads,
  mayHandOver,
  mayNote,
  mayTakeOver,
  memberOf,
  newestPoll,
  raisedHands,
  shownEntry,
  sortedQuestions,
} from "./state";
import { entry, member, session, view } from "./testing";

const everyone = { everyone_steers: true, guests_annotate: false, locked: false };

describe("rights", () => {
  /** m1 owns, m2 presents, m3 was allowed to steer, m4 is a viewer. */
  const members = [member("m1"), member("m2"), member("m3", { steers: true }), member("m4")];
  const state = session({ members, presenter: "m2" });

  it.each([
    ["m1", { note: true, takeOver: true, handOver: true }],
    ["m2", { note: true, takeOver: false, handOver: true }],
    ["m3", { note: true, takeOver: false, handOver: false }],
    ["m4", { note: false, takeOver: false, handOver: false }],
  ])("of %s while a member presents", (id, expected) => {
    const rights = { note: mayNote(state, id), takeOver: mayTakeOver(state, id), handOver: mayHandOver(state, id) };
    expect(rights).toEqual(expected);
  });

  it.each([
    ["m1", true],
    ["m3", true],
    ["m4", false],
  ])("%s takes over a session without a presenter: %s", (id, may) => {
    expect(mayTakeOver(session({ members, presenter: null }), id)).toBe(may);
  });

  it("lets everyone note and take over where everyone steers, and no one take over after the end", () => {
    const open = session({ members, presenter: "m2", settings: everyone });
    expect(["m1", "m3", "m4"].map((id) => mayTakeOver(open, id))).toEqual([true, true, true]);
    expect(mayNote(open, "m4")).toBe(true);
    const ended = session({ members, presenter: null, state: "ended", settings: everyone });
    expect(["m1", "m3", "m4"].map((id) => mayTakeOver(ended, id))).toEqual([false, false, false]);
  });

  it("gives an unknown member no right", () => {
    expect([mayNote(state, "m9"), mayTakeOver(state, "m9"), mayHandOver(state, "m9")]).toEqual([false, false, false]);
  });
});

describe("leading and following", () => {
  const states = ["live", "paused", "ended"] as const;
  const cases = states.flatMap((state) =>
    [null, "m1", "m2"].flatMap((presenter) =>
      [true, false].flatMap((following) =>
        [true, false].map((everyone_steers) => ({ state, presenter, following, everyone_steers })),
      ),
    ),
  );

  it.each(cases)("$state, presenter $presenter, following $following, everyone steers $everyone_steers", (one) => {
    const { state, presenter, following, everyone_steers } = one;
    const now = session({ state, presenter, settings: { ...everyone, everyone_steers } });
    const [leading, followed] = [leads(now, "m2", following), follows(now, "m2", following)];
    if (state !== "live") expect([leading, followed]).toEqual([false, false]);
    if (presenter === "m2") expect(followed).toBe(false);
    if (!following) expect(followed).toBe(false);
    if (leading) expect(presenter === "m2" || everyone_steers).toBe(true);
    if (state === "live" && presenter === "m2") expect(leading).toBe(true);
    if (state === "live" && presenter === "m1") expect(followed).toBe(following);
  });
});

describe("shownEntry", () => {
  it("is the entry moved last of a pane, in the stage of now", () => {
    const views = [
      entry({ view: view({ l0_x: 1 }) }),
      entry({ pane: 1 }),
      entry({ view: view({ l0_x: 2 }) }),
      entry({ stage: 2, view: view({ l0_x: 3 }) }),
    ];
    const state = session({ views });
    expect(shownEntry(state, 0)?.view.l0_x).toBe(2);
    expect(shownEntry(state, 1)).toBe(views[1]);
    expect(shownEntry(session(), 0)).toBeNull();
  });
});

it("finds a member by id", () => {
  expect(memberOf(session(), "m2")?.name).toBe("Ben");
  expect(memberOf(session(), "m9")).toBeNull();
  expect(memberOf(session(), null)).toBeNull();
});

describe("lists that the panel shows", () => {
  const question = (id: string, change: Partial<Question> = {}): Question => ({
    id,
    text: id,
    place: null,
    by: null,
    asked: 1,
    votes: 0,
    answered: false,
    ...change,
  });

  it("SE56: questions are open ones first, those with the most votes before others, the oldest of equal ones first", () => {
    const questions = [
      question("answered", { votes: 9, answered: true }),
      question("late", { asked: 5 }),
      question("early", { asked: 2 }),
      question("wanted", { votes: 3, asked: 9 }),
    ];
    expect(sortedQuestions(session({ questions })).map(({ id }) => id)).toEqual([
      "wanted",
      "early",
      "late",
      "answered",
    ]);
    expect(questions.map(({ id }) => id)).toEqual(["answered", "late", "early", "wanted"]);
    expect(sortedQuestions(session())).toEqual([]);
  });

  it("SE54: the newest poll is the last one", () => {
    const polls = [{ id: "a" } as Poll, { id: "b" } as Poll];
    expect(newestPoll(session({ polls }))?.id).toBe("b");
    expect([newestPoll(session()), newestPoll(session({ polls: [] }))]).toEqual([null, null]);
  });

  it("SE53: raised hands are in the order in which they were raised, of those who are here", () => {
    const members = [
      member("m1", { hand: 9 }),
      member("m2", { hand: 3 }),
      member("m3"),
      member("m4", { hand: 1, present: false }),
    ];
    expect(raisedHands(session({ members })).map(({ id }) => id)).toEqual(["m2", "m1"]);
  });
});
