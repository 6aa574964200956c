import { describe, expect, it } from "vitest";
import { type Address, address } from "../geometry/pyramid";
import { DecodePool, DroppedError, UndecodableError, WorkerFailedError, type WorkerLike, poolSize } from "./pool";
import type { DecodeResponse, DecodeRequest, FromWorker, ToWorker } from "./protocol";

class FakeWorker implements WorkerLike {
  readonly sent: ToWorker[] = [];
  terminated = false;
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;
  onmessageerror: WorkerLike["onmessageerror"] = null;

  postMessage(message: ToWorker): void {
    this.sent.push(message);
  }

  terminate(): void {
    this.terminated = true;
  }

  get decoding() {
    return this.sent.filter((message) => message.type === "decode");
  }

  response(message: FromWorker): void {
    this.onmessage?.({ data: message } as MessageEvent<FromWorker>);
  }

  finish(nth: number): void {
    const pixels = { width: 1, height: 1, rgba: new Uint8ClampedArray(4).fill(nth) };
    this.respondAll(nth, () => ({ type: "pixels", pixels }));
  }

  /** Answers the nth message about its requests. */
  respondAll(nth: number, responseTo: (i: number) => DecodeResponse): void {
    const { id, requests } = this.decoding[nth]!;
    this.response({ type: "decoded", id, responses: requests.map((_, i) => responseTo(i)) });
  }

  die(): void {
    this.onerror?.({ message: "out of memory" } as ErrorEvent);
  }
}

function poolOf(size: number, budget = 1000) {
  const workers: FakeWorker[] = [];
  const make = (): FakeWorker => {
    workers.push(new FakeWorker());
    return workers[workers.length - 1]!;
  };
  return { pool: new DecodePool(size, make, {}, budget), workers };
}

function tile(x: number, y: number): Omit<DecodeRequest, "output"> {
  return {
    slide: "s",
    chain: [{ address: address(0, 0, x, y), parameters: "", layers: [] }],
    layers: 1,
    channels: 3,
    width: 1,
    height: 1,
  };
}

const addressesOf = (message: ToWorker): Address[] =>
  message.type === "decode" ? message.requests.map(({ chain }) => chain[0]!.address) : [];

/** Lets the pool send what was submitted. */
const sending = (): Promise<void> => Promise.resolve();

describe("DecodePool", () => {
  it("copies no parent to a worker twice, and all of the chain once the worker lacks it", async () => {
    const { pool, workers } = poolOf(1, 100 << 20);
    const child = (x: number): Omit<DecodeRequest, "output"> => ({
      ...tile(x, 0),
      chain: [{ address: address(0, 1, 0, 0), parameters: "", layers: [] }, ...tile(x, 0).chain],
    });
    const first = pool.pixels(child(0));
    await sending();
    const second = pool.pixels(child(1));
    await sending();
    const sent = (): number[] => workers[0]!.decoding.map(({ requests }) => requests[0]!.chain.length);
    expect(sent()).toEqual([2, 1]);
    workers[0]!.finish(0);
    workers[0]!.respondAll(1, () => ({ type: "missing-parent" }));
    expect(sent()).toEqual([2, 1, 2]);
    workers[0]!.finish(2);
    expect((await first).rgba[0]).toBe(0);
    expect((await second).rgba[0]).toBe(2);
  });

  it("sends the children of one parent in one message, with the same number of layers, the best one's first", async () => {
    const { pool, workers } = poolOf(1);
    const places = [
      [0, 0],
      [2, 0],
      [1, 1],
      [0, 1],
    ];
    const jobs = places.map(([x, y], rank) => pool.pixels(tile(x!, y!), () => rank));
    const refined = pool.pixels({ ...tile(1, 0), layers: 2 }, () => 9);
    await sending();
    const sent = (): string[][] =>
      workers[0]!.decoding.map((message) => addressesOf(message).map(({ x, y }) => `${x}/${y}`));
    expect(sent()).toEqual([["0/0", "1/1", "0/1"], ["2/0"]]);
    workers[0]!.finish(0);
    expect(sent()[2]).toEqual(["1/0"]);
    workers[0]!.finish(1);
    workers[0]!.finish(2);
    expect((await Promise.all([...jobs, refined])).map(({ rgba }) => rgba[0])).toEqual([0, 1, 0, 0, 2]);
  });

  it("answers each job of a message by itself", async () => {
    const { pool, workers } = poolOf(1);
    const [good, bad] = [pool.pixels(tile(0, 0)), pool.pixels(tile(1, 0))];
    await sending();
    const pixels = { width: 1, height: 1, rgba: new Uint8ClampedArray(4) };
    workers[0]!.respondAll(0, (i) =>
      i === 0 ? { type: "pixels", pixels } : { type: "failed", address: address(0, 0, 1, 0), reason: "checksum" },
    );
    await expect(good).resolves.toBe(pixels);
    await expect(bad).rejects.toBeInstanceOf(UndecodableError);
  });

  it("gives tiles of one parent to one worker and neighbouring parents to different ones", async () => {
    const { pool, workers } = poolOf(2);
    for (const [x, y] of [
      [0, 0],
      [2, 0],
      [1, 1],
      [3, 1],
    ])
      pool.pixels(tile(x!, y!)).catch(() => undefined);
    await sending();
    const columns = workers.map((worker) => worker.decoding.flatMap(addressesOf).map(({ x }) => x >> 1));
    expect(columns.map((column) => new Set(column).size)).toEqual([1, 1]);
    expect(columns[0]).not.toEqual(columns[1]);
  });

  it("lets priorities decide when a worker becomes free, not when a job is handed in", async () => {
    const { pool, workers } = poolOf(1);
    const ranks = [0, 1, 5, 4];
    const jobs = ranks.map((_, i) => pool.pixels(tile(2 * i, 0), () => ranks[i]!));
    await sending();
    expect(workers[0]!.decoding.length).toBe(2);
    ranks[2] = 2;
    workers[0]!.finish(0);
    await jobs[0];
    expect(addressesOf(workers[0]!.decoding[2]!)[0]!.x).toBe(4);
  });

  it("drops jobs that are no longer needed without decoding them", async () => {
    const { pool, workers } = poolOf(1);
    let wanted: number | null = 3;
    const remaining = [pool.pixels(tile(0, 0)), pool.pixels(tile(2, 0))];
    const stale = pool.pixels(tile(4, 0), () => wanted);
    await sending();
    wanted = null;
    pool.reprioritise();
    await expect(stale).rejects.toThrow(DroppedError);
    workers[0]!.finish(0);
    workers[0]!.finish(1);
    await Promise.all(remaining);
    expect(workers[0]!.decoding.length).toBe(2);
  });

  it("replaces a worker that dies and gives its jobs to the successor", async () => {
    const { pool, workers } = poolOf(1);
    const jobs = [pool.pixels(tile(0, 0)), pool.pixels(tile(1, 0))];
    await sending();
    expect(workers[0]!.decoding.length).toBe(1);
    workers[0]!.die();
    expect(workers[0]!.terminated).toBe(true);
    expect(workers[1]!.sent[0]!.type).toBe("start");
    expect(workers[1]!.decoding.length, "one by one: one of them may have killed it").toBe(2);
    workers[1]!.finish(0);
    workers[1]!.finish(1);
    for (const job of jobs) await expect(job).resolves.toMatchObject({ width: 1 });
  });

  it("gives a job up that has killed two workers, and goes on with the others", async () => {
    const { pool, workers } = poolOf(1);
    const deadly = pool.pixels(tile(0, 0));
    await sending();
    workers[0]!.die();
    workers[1]!.die();
    await expect(deadly).rejects.toThrow(WorkerFailedError);
    const next = pool.pixels(tile(1, 0));
    await sending();
    workers[2]!.finish(0);
    await expect(next).resolves.toBeDefined();
  });

  it("names the block that could not be decoded", async () => {
    const { pool, workers } = poolOf(1);
    const job = pool.pixels(tile(0, 0));
    await sending();
    workers[0]!.respondAll(0, () => ({ type: "failed", address: address(0, 1, 0, 0), reason: "checksum" }));
    await expect(job).rejects.toMatchObject({ address: address(0, 1, 0, 0), message: "checksum" });
    await expect(job).rejects.toBeInstanceOf(UndecodableError);
  });

  it("sums up the memory of its workers", async () => {
    const { pool, workers } = poolOf(2);
    const memory = pool.memory();
    for (const worker of workers) {
      const ask = worker.sent.filter((message) => message.type === "memory")[0]!;
      worker.response({ type: "memory", id: ask.id, memory: { decodedBytes: 5, wasmBytes: 7 } });
    }
    expect(await memory).toEqual({ decodedBytes: 10, wasmBytes: 14 });
  });

  it("rejects everything when it is closed", async () => {
    const { pool, workers } = poolOf(1);
    const job = pool.pixels(tile(0, 0));
    pool.close();
    await expect(job).rejects.toThrow(DroppedError);
    await expect(pool.pixels(tile(1, 0))).rejects.toThrow(DroppedError);
    expect(workers[0]!.terminated).toBe(true);
  });
});

it.each([
  [undefined, 2],
  [1, 1],
  [2, 2],
  [4, 3],
  [16, 4],
])("with %s processors the pool has %i workers", (processors, size) => {
  expect(poolSize(processors)).toBe(size);
});
