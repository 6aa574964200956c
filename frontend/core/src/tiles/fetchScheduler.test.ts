import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FetchScheduler } from "./fetchScheduler";
import { FakeMaker, a } from "./testing";

const want = (x: number, layers = 1) => ({ tiles: [a(0, 0, x, 0)], layers });
const ahead = [a(1, 0, 0, 0)];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function world() {
  const source = new FakeMaker();
  return { source, fetches: new FetchScheduler(source) };
}

describe("FetchScheduler", () => {
  it("fetches a resting field at once, however often", () => {
    const { source, fetches } = world();
    for (const x of [1, 2, 3]) fetches.setField(want(x), false);
    expect(source.fields).toEqual([want(1), want(2), want(3)]);
  });

  it("fetches a moving field at most every 90 ms, and then the last one named", () => {
    const { source, fetches } = world();
    fetches.setField(want(1), true);
    fetches.setField(want(2), true);
    vi.advanceTimersByTime(89);
    fetches.setField(want(3), true);
    expect(source.fields).toEqual([want(1)]);
    vi.advanceTimersByTime(1);
    expect(source.fields).toEqual([want(1), want(3)]);
    vi.advanceTimersByTime(1000);
    expect(source.fields.length).toBe(2);
  });

  it("does not hold back the field at which the view comes to rest", () => {
    const { source, fetches } = world();
    fetches.setField(want(1), true);
    fetches.setField(want(2), true);
    fetches.setField(want(2, 2), false);
    expect(source.fields.at(-1)).toEqual(want(2, 2));
  });

  it("looks ahead when a finished view has rested for 150 ms, once", () => {
    const { source, fetches } = world();
    fetches.moved(ahead);
    fetches.viewFinished();
    fetches.viewFinished();
    vi.advanceTimersByTime(149);
    expect(source.ahead).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(source.ahead).toEqual([ahead]);
    vi.advanceTimersByTime(1000);
    expect(source.ahead.length).toBe(1);
  });

  it("stops looking ahead when the view moves on", () => {
    const { source, fetches } = world();
    fetches.moved(ahead);
    fetches.viewFinished();
    fetches.moved([]);
    vi.advanceTimersByTime(1000);
    expect(source.ahead).toEqual([[]]);
  });

  it("fetches ahead what is expected for reasons from outside, also while the view moves, and keeps to it", () => {
    const { source, fetches } = world();
    const expected = [a(0, 0, 5, 5)];
    fetches.setField(want(1), true);
    fetches.prefetchHint(expected);
    expect(source.ahead).toEqual([expected]);
    fetches.moved(ahead);
    fetches.viewFinished();
    vi.advanceTimersByTime(150);
    expect(source.ahead.at(-1)).toEqual([...expected, ...ahead]);
    fetches.moved([]);
    expect(source.ahead.at(-1)).toEqual(expected);
    fetches.prefetchHint([]);
    expect(source.ahead.at(-1)).toEqual([]);
  });

  it("looks ahead at nothing where there is nothing, and fetches nothing once it is closed", () => {
    const { source, fetches } = world();
    fetches.viewFinished();
    vi.advanceTimersByTime(1000);
    expect(source.ahead).toEqual([]);
    fetches.setField(want(1), true);
    fetches.setField(want(2), true);
    fetches.moved(ahead);
    fetches.viewFinished();
    fetches.close();
    vi.advanceTimersByTime(1000);
    expect([source.fields, source.ahead]).toEqual([[want(1)], []]);
  });
});
