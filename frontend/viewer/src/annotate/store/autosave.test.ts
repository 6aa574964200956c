import { describe, expect, it, vi } from "vitest";
import type { Outcome } from "@wavescope/core/wire/annotations/annotations";
import { OfflineError, ProblemError } from "@wavescope/core/wire/http/errors";
import { Autosave, type AutosaveEvents, type Clock } from "./autosave";
import { Ledger } from "./ledger";
import { MemoryService, someContent } from "./testing";

/** Timers by their length, run when the test says so. */
class NamedClock implements Clock {
  private readonly timers = new Map<number, { work: () => void; milliseconds: number }>();
  private last = 0;
  set = (work: () => void, milliseconds: number): number => {
    this.timers.set(++this.last, { work, milliseconds });
    return this.last;
  };
  clear = (timer: number): void => void this.timers.delete(timer);

  get lengths(): number[] {
    return [...this.timers.values()].map(({ milliseconds }) => milliseconds).sort((one, other) => one - other);
  }

  /** Lets the timers of this length end. */
  async end(milliseconds: number): Promise<void> {
    const due = [...this.timers].filter(([, timer]) => timer.milliseconds === milliseconds);
    for (const [id, { work }] of due) {
      this.timers.delete(id);
      work();
    }
    await rest();
  }
}

async function rest(): Promise<void> {
  for (let i = 0; i < 40; i += 1) await Promise.resolve();
}

const [GATHER, FOLLOW] = [400, 3000];

async function world({ watched = true, maySend = true, start = true } = {}) {
  const service = new MemoryService();
  const clock = new NamedClock();
  const ledger = new Ledger(() => "copy");
  const allowed = { watched, maySend };
  const events = {
    effects: vi.fn(),
    page: vi.fn(),
    loaded: vi.fn(),
    state: vi.fn(),
    responded: vi.fn(),
  } satisfies AutosaveEvents;
  const autosave = new Autosave(
    ledger,
    service,
    events,
    clock,
    () => allowed.watched,
    () => allowed.maySend,
  );
  if (start) autosave.start();
  await rest();
  const edit = (id: string, x: number): void => {
    ledger.edit(id, someContent(x));
    autosave.touch();
  };
  const saved = (): string[] => [...service.objects.keys()];
  const last = (): unknown => events.state.mock.calls.at(-1)?.[0];
  return { service, clock, ledger, events, autosave, edit, saved, last, allowed };
}

describe("AN8: following", () => {
  it("loads at once, then asks every three seconds for what has changed since", async () => {
    const { service, clock, events } = await world();
    expect(events.loaded).toHaveBeenCalledOnce();
    expect(clock.lengths).toEqual([FOLLOW]);
    const page = vi.spyOn(service, "page");
    service.sequence = 7;
    await clock.end(FOLLOW);
    await clock.end(FOLLOW);
    expect(page.mock.calls.map(([since]) => since)).toEqual([0, 7]);
    expect(events.loaded).toHaveBeenCalledOnce();
  });

  it("asks for page after page until there is no more", async () => {
    const { service, clock, events } = await world();
    const page = service.page.bind(service);
    let left = 3;
    service.page = async (since) => ({ ...(await page(since)), more: --left > 0 });
    await clock.end(FOLLOW);
    expect(events.page).toHaveBeenCalledTimes(1 + 3);
  });

  it("requests nothing while the page is hidden, and again when it is visible", async () => {
    const { service, clock, allowed } = await world();
    const page = vi.spyOn(service, "page");
    allowed.watched = false;
    await clock.end(FOLLOW);
    expect(page).not.toHaveBeenCalled();
    allowed.watched = true;
    await clock.end(FOLLOW);
    expect(page).toHaveBeenCalledOnce();
  });

  it("tries to load again every second, and says why it cannot", async () => {
    const { service, clock, events, autosave } = await world({ start: false });
    service.offline = true;
    autosave.start();
    await rest();
    expect(events.state).toHaveBeenLastCalledWith("loading", "The service does not answer.");
    expect(clock.lengths).toEqual([1000]);
    service.offline = false;
    await clock.end(1000);
    expect(events.loaded).toHaveBeenCalledOnce();
  });

  it.each([401, 403, 404])("does not ask again after status %i", async (status) => {
    const { service, clock } = await world();
    service.page = () => Promise.reject(new ProblemError("forbidden", status, "no", ""));
    await clock.end(FOLLOW);
    expect(clock.lengths).toEqual([]);
  });
});

describe("AN11: saving", () => {
  it("sends what was changed within 400 ms together", async () => {
    const { service, clock, edit, saved, last } = await world();
    edit("a", 1);
    edit("b", 2);
    edit("a", 3);
    expect([service.calls, last()]).toEqual([0, "saving"]);
    await clock.end(GATHER);
    expect([service.calls, saved(), last()]).toEqual([1, ["a", "b"], "saved"]);
    expect(service.objects.get("a")?.content).toEqual(someContent(3));
  });

  it("sends what was changed while it was sending, right after the answer", async () => {
    const { service, clock, edit, last } = await world();
    const change = service.change.bind(service);
    let response = (): void => undefined;
    service.change = async (changes): Promise<readonly Outcome[]> => {
      const outcomes = await change(changes);
      await new Promise<void>((resolve) => (response = resolve));
      return outcomes;
    };
    edit("a", 1);
    await clock.end(GATHER);
    edit("a", 2);
    await clock.end(GATHER);
    expect(service.calls).toBe(1);
    response();
    await rest();
    expect(service.calls).toBe(2);
    response();
    await rest();
    expect([service.objects.get("a")?.content, last()]).toEqual([someContent(2), "saved"]);
  });

  it("waits 1, 2 and then always 4 seconds while the service does not answer", async () => {
    const { service, clock, edit, saved, last } = await world();
    service.offline = true;
    edit("a", 1);
    await clock.end(GATHER);
    for (const wait of [1000, 2000, 4000, 4000]) {
      expect(clock.lengths.filter((one) => one !== FOLLOW)).toEqual([wait]);
      expect(last()).toBe("unsaved");
      await clock.end(wait);
    }
    service.offline = false;
    await clock.end(4000);
    expect([saved(), last()]).toEqual([["a"], "saved"]);
  });

  it("finds by halving the one change that is refused, and saves all others", async () => {
    const { service, clock, edit, saved, last, events } = await world();
    service.refused.add("c");
    const names = Array.from("abcdefgh");
    names.forEach((id, i) => edit(id, i));
    await clock.end(GATHER);
    for (let i = 0; i < 10; i += 1) await rest();
    expect(saved().sort()).toEqual(names.filter((id) => id !== "c"));
    expect(last()).toBe("refused");
    expect(events.state).toHaveBeenLastCalledWith("refused", "not like that");
    service.refused.clear();
    edit("c", 99);
    await clock.end(GATHER);
    expect([saved().length, last()]).toEqual([8, "saved"]);
  });

  it("saves nothing before everything is loaded", async () => {
    const { service, clock, edit, autosave } = await world({ start: false });
    edit("a", 1);
    expect(clock.lengths).toEqual([]);
    autosave.start();
    await rest();
    expect([...service.objects.keys()]).toEqual(["a"]);
  });

  it("AN23: sends nothing while that is not allowed, and says so", async () => {
    const { service, clock, edit, last, allowed } = await world({ maySend: false });
    edit("a", 1);
    await clock.end(GATHER);
    expect([service.calls, last()]).toEqual([0, "refused"]);
    allowed.maySend = true;
    edit("a", 2);
    await clock.end(GATHER);
    expect([service.calls, last()]).toEqual([1, "saved"]);
  });
});

it("sends and asks at once when it is asked to", async () => {
  const { service, clock, edit, saved, autosave } = await world();
  const page = vi.spyOn(service, "page");
  edit("a", 1);
  void autosave.now();
  await rest();
  expect([saved(), page.mock.calls.length]).toEqual([["a"], 1]);
  expect(clock.lengths).toEqual([FOLLOW]);
});

it("leaves no timer behind when it is closed, and starts none when an answer comes late", async () => {
  const { service, clock, edit, autosave } = await world();
  edit("a", 1);
  let fail: (error: Error) => void = () => undefined;
  service.page = () => new Promise((_, reject) => (fail = reject));
  await clock.end(FOLLOW);
  autosave.close();
  expect(clock.lengths).toEqual([]);
  fail(new OfflineError("late"));
  await rest();
  expect(clock.lengths).toEqual([]);
});
