import { describe, expect, it, vi } from "vitest";
import { OfflineError, ProblemError } from "../wire/http/errors";
import { type LoaderPorts, type Loaded, TileLoader } from "./loader";
import type { TilePlace } from "./tile";

const place = (x: number, y = 0): TilePlace => ({ level: 0, x, y });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Requests are answered by the test. */
function world(budget = 1e6) {
  const asked: {
    key: string;
    answer: (loaded: Loaded) => void;
    fail: (error: Error) => void;
  }[] = [];
  const aborted: string[] = [];
  const forgotten: string[] = [];
  const later: (() => void)[] = [];
  const ports: LoaderPorts = {
    load: ({ level, x, y }, signal) =>
      new Promise((resolve, reject) => {
        const key = `${level}/${x}/${y}`;
        asked.push({ key, answer: resolve, fail: reject });
        signal.addEventListener("abort", () => {
          aborted.push(key);
          reject(new DOMException("aborted", "AbortError"));
        });
      }),
    forget: (key) => forgotten.push(key),
    changed: vi.fn(),
    later: (work) => later.push(work),
  };
  const loader = new TileLoader(ports, budget);
  const answer = async (loaded: Loaded = { received: 10, bytes: 1000 }): Promise<void> => {
    for (const one of asked.splice(0)) one.answer(loaded);
    await turn();
  };
  return { loader, asked, aborted, forgotten, later, ports, answer };
}

describe("tiles of an overlay", () => {
  it("OV41: are requested in order, six at a time", async () => {
    const { loader, asked, answer } = world();
    loader.want(Array.from({ length: 8 }, (_, x) => place(x)));
    expect(asked.map(({ key }) => key)).toEqual(["0/0/0", "0/1/0", "0/2/0", "0/3/0", "0/4/0", "0/5/0"]);
    await answer();
    expect(asked.map(({ key }) => key)).toEqual(["0/6/0", "0/7/0"]);
    expect(loader.complete).toBe(false);
    await answer();
    expect(loader.complete).toBe(true);
    expect(loader.received).toBe(80);
  });

  it("OV44: that a view no longer needs are cancelled, others go on", async () => {
    const { loader, asked, aborted, answer } = world();
    loader.want([place(0), place(1)]);
    loader.want([place(1), place(2)]);
    await turn();
    expect(aborted).toEqual(["0/0/0"]);
    expect(asked.map(({ key }) => key)).toEqual(["0/0/0", "0/1/0", "0/2/0"]);
    await answer();
    expect(["0/0/0", "0/1/0", "0/2/0"].map((key) => loader.stateOf(key))).toEqual(["missing", "here", "here"]);
  });

  it("OV44: are dropped beyond the budget, what was used least recently first", async () => {
    const { loader, forgotten, answer } = world(2500);
    loader.want([place(0)]);
    await answer();
    loader.want([place(1)]);
    await answer();
    loader.want([place(0)]);
    loader.want([place(2)]);
    await answer();
    expect(forgotten).toEqual(["0/1/0"]);
    expect(loader.bytes).toBeLessThanOrEqual(2500);
  });

  it("may be empty or damaged: neither is requested again", async () => {
    const { loader, asked, answer } = world();
    loader.want([place(0)]);
    await answer({ received: 0, bytes: 0 });
    loader.want([place(1)]);
    await answer({ received: 10, bytes: null });
    expect(loader.damaged).toEqual(["0/1/0"]);
    loader.want([place(0), place(1)]);
    expect(asked).toEqual([]);
    expect([loader.stateOf("0/0/0"), loader.stateOf("0/1/0")]).toEqual(["empty", "empty"]);
  });

  it("are requested again after the service did not answer, not after it refused", async () => {
    const { loader, asked, later } = world();
    loader.want([place(0)]);
    asked.splice(0)[0]!.fail(new OfflineError("no network"));
    await turn();
    expect(asked).toEqual([]);
    later.splice(0)[0]!();
    expect(asked.map(({ key }) => key)).toEqual(["0/0/0"]);
    const refused = new ProblemError("unknown-overlay", 404, "", "");
    asked.splice(0)[0]!.fail(refused);
    await turn();
    expect(later).toEqual([]);
    expect(loader.refusal).toBe(refused);
  });

  it("ask for nothing once the overlay is closed", async () => {
    const { loader, asked, aborted } = world();
    loader.want([place(0)]);
    loader.close();
    await turn();
    loader.want([place(1)]);
    expect(aborted).toEqual(["0/0/0"]);
    expect(asked.map(({ key }) => key)).toEqual(["0/0/0"]);
  });
});
