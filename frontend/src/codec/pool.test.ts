import { describe, expect, it } from "vitest";
import { type Address, address } from "../geometry/pyramid";
import { DecodePool, DroppedError, UndecodableError, WorkerFailedError, type WorkerLike, poolSize } from "./pool";
import type { DecodeRequest, FromWorker, ToWorker } from "./protocol";

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

  answer(message: FromWorker): void {
    this.onmessage?.({ data: message } as MessageEvent<FromWorker>);
  }

  finish(nth: number): void {
    const { id } = this.decoding[nth];
    this.answer({ type: "pixels", id, pixels: { width: 1, height: 1, rgba: new Uint8ClampedArray(4).fill(nth) } });
  }

  die(): void {
    this.onerror?.({ message: "out of memory" } as ErrorEvent);
  }
}

function poolOf(size: number, budget = 1000) {
  const workers: FakeWorker[] = [];
  const make = (): FakeWorker => {
    workers.push(new FakeWorker());
    return workers[workers.length - 1];
  };
  return { pool: new DecodePool(size, make, {} as WebAssembly.Module, budget), workers };
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

const addressOf = (message: ToWorker): Address | null =>
  message.type === "decode" ? message.request.chain[0].address : null;

describe("DecodePool", () => {
  it("copies no parent to a worker twice, and all of the chain once the worker lacks it", async () => {
    const { pool, workers } = poolOf(1, 100 << 20);
    const child = (x: number): Omit<DecodeRequest, "output"> => ({
      ...tile(x, 0),
      chain: [{ address: address(0, 1, 0, 0), parameters: "", layers: [] }, ...tile(x, 0).chain],
    });
    const [first, second] = [pool.pixels(child(0)), pool.pixels(child(1))];
    const sent = (): number[] =>
      workers[0].decoding.map((message) => (message.type === "decode" ? message.request.chain.length : 0));
    expect(sent()).toEqual([2, 1]);
    workers[0].finish(0);
    workers[0].answer({ type: "missing-parent", id: workers[0].decoding[1].id });
    expect(sent()).toEqual([2, 1, 2]);
    workers[0].finish(2);
    expect((await first).rgba[0]).toBe(0);
    expect((await second).rgba[0]).toBe(2);
  });

  it("gives tiles of one parent to one worker and neighbouring parents to different ones", () => {
    const { pool, workers } = poolOf(2);
    for (const [x, y] of [
      [0, 0],
      [2, 0],
      [1, 1],
      [3, 1],
    ])
      pool.pixels(tile(x, y)).catch(() => undefined);
    const columns = workers.map((worker) => worker.decoding.map((message) => addressOf(message)!.x >> 1));
    expect(columns.map((column) => new Set(column).size)).toEqual([1, 1]);
    expect(columns[0]).not.toEqual(columns[1]);
  });

  it("lets priorities decide when a worker becomes free, not when a job is handed in", async () => {
    const { pool, workers } = poolOf(1);
    const ranks = [0, 1, 5, 4];
    const jobs = ranks.map((_, x) => pool.pixels(tile(x, 0), () => ranks[x]));
    expect(workers[0].decoding.length).toBe(2);
    ranks[2] = 2;
    workers[0].finish(0);
    await jobs[0];
    expect(addressOf(workers[0].decoding[2])?.x).toBe(2);
  });

  it("drops jobs that are no longer needed without decoding them", async () => {
    const { pool, workers } = poolOf(1);
    let wanted: number | null = 3;
    const remaining = [pool.pixels(tile(0, 0)), pool.pixels(tile(1, 0))];
    const stale = pool.pixels(tile(2, 0), () => wanted);
    wanted = null;
    pool.reconsider();
    await expect(stale).rejects.toThrow(DroppedError);
    workers[0].finish(0);
    workers[0].finish(1);
    await Promise.all(remaining);
    expect(workers[0].decoding.length).toBe(2);
  });

  it("replaces a worker that dies and gives its jobs to the successor", async () => {
    const { pool, workers } = poolOf(1);
    const job = pool.pixels(tile(0, 0));
    workers[0].die();
    expect(workers[0].terminated).toBe(true);
    expect(workers[1].sent[0].type).toBe("start");
    workers[1].finish(0);
    await expect(job).resolves.toMatchObject({ width: 1 });
  });

  it("gives a job up that has killed two workers, and goes on with the others", async () => {
    const { pool, workers } = poolOf(1);
    const deadly = pool.pixels(tile(0, 0));
    workers[0].die();
    workers[1].die();
    await expect(deadly).rejects.toThrow(WorkerFailedError);
    const next = pool.pixels(tile(1, 0));
    workers[2].finish(0);
    await expect(next).resolves.toBeDefined();
  });

  it("names the block that could not be decoded", async () => {
    const { pool, workers } = poolOf(1);
    const job = pool.pixels(tile(0, 0));
    const { id } = workers[0].decoding[0];
    workers[0].answer({ type: "failed", id, address: address(0, 1, 0, 0), reason: "checksum" });
    await expect(job).rejects.toMatchObject({ address: address(0, 1, 0, 0), message: "checksum" });
    await expect(job).rejects.toBeInstanceOf(UndecodableError);
  });

  it("sums up the memory of its workers", async () => {
    const { pool, workers } = poolOf(2);
    const memory = pool.memory();
    for (const worker of workers) {
      const [ask] = worker.sent.filter((message) => message.type === "memory");
      worker.answer({ type: "memory", id: ask.id, memory: { decodedBytes: 5, wasmBytes: 7 } });
    }
    expect(await memory).toEqual({ decodedBytes: 10, wasmBytes: 14 });
  });

  it("rejects everything when it is closed", async () => {
    const { pool, workers } = poolOf(1);
    const job = pool.pixels(tile(0, 0));
    pool.close();
    await expect(job).rejects.toThrow(DroppedError);
    await expect(pool.pixels(tile(1, 0))).rejects.toThrow(DroppedError);
    expect(workers[0].terminated).toBe(true);
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
