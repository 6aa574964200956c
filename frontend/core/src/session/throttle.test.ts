import { describe, expect, it } from "vitest";
import { seeded } from "../wire/testing";
import { Throttle } from "./throttle";

/** A clock that the test turns. */
class HandClock {
  time = 0;
  private timers: { at: number; work: () => void; id: number }[] = [];
  private last = 0;
  now = (): number => this.time;
  set = (work: () => void, milliseconds: number): number => {
    this.timers.push({ at: this.time + milliseconds, work, id: ++this.last });
    return this.last;
  };
  clear = (id: number): void => void (this.timers = this.timers.filter((timer) => timer.id !== id));

  advance(milliseconds: number): void {
    const end = this.time + milliseconds;
    for (;;) {
      const [due] = this.timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (!due) break;
      this.time = Math.max(this.time, due.at);
      this.clear(due.id);
      due.work();
    }
    this.time = end;
  }
}

function world(interval = 33) {
  const clock = new HandClock();
  const sent: { value: string; time: number }[] = [];
  const throttle = new Throttle<string>(
    clock,
    () => interval,
    (value) => sent.push({ value, time: clock.time }),
  );
  return { clock, sent, throttle };
}

describe("Throttle", () => {
  it("sends the first at once and the newest of the rest when the interval is over", () => {
    const { clock, sent, throttle } = world();
    for (const value of ["a", "b", "c"]) throttle.put("view", value);
    expect(sent).toEqual([{ value: "a", time: 0 }]);
    clock.advance(100);
    expect(sent).toEqual([
      { value: "a", time: 0 },
      { value: "c", time: 33 },
    ]);
  });

  it("sends the newest of each kind together", () => {
    const { clock, sent, throttle } = world();
    throttle.put("view", "v0");
    throttle.put("view", "v1");
    throttle.put("cursor", "c1");
    throttle.put("view", "v2");
    clock.advance(33);
    expect(sent.map(({ value }) => value)).toEqual(["v0", "v2", "c1"]);
  });

  it("sends nothing of what waits once it is closed", () => {
    const { clock, sent, throttle } = world();
    throttle.put("view", "a");
    throttle.put("view", "b");
    throttle.close();
    clock.advance(100);
    expect(sent.map(({ value }) => value)).toEqual(["a"]);
  });

  it("never sends twice within an interval, and always the last value in the end", () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const random = seeded(seed);
      const { clock, sent, throttle } = world();
      let last = "";
      for (let i = 0; i < 60; i += 1) {
        last = `${i}`;
        throttle.put("view", last);
        clock.advance(random() * 40);
      }
      clock.advance(100);
      expect(sent.at(-1)?.value).toBe(last);
      const gaps = sent.slice(1).map(({ time }, i) => time - sent[i]!.time);
      expect(Math.min(...gaps)).toBeGreaterThan(33 - 1e-6);
      const order = sent.map(({ value }) => Number(value));
      expect(order).toEqual([...order].sort((one, other) => one - other));
    }
  });
});
