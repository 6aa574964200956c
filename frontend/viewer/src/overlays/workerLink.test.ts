import { describe, expect, it } from "vitest";
import type { FromWorker } from "./protocol";
import { OverlayWorkerError, WorkerLink, type WorkerLike } from "./workerLink";

class FakeWorker implements WorkerLike {
  readonly sent: { readonly id: number; readonly kind: string }[] = [];
  ended = false;
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;

  postMessage(message: unknown): void {
    this.sent.push(message as { id: number; kind: string });
  }

  terminate(): void {
    this.ended = true;
  }

  answer(message: FromWorker): void {
    this.onmessage!({ data: message } as MessageEvent<FromWorker>);
  }
}

function linked(): { worker: FakeWorker; link: WorkerLink } {
  const worker = new FakeWorker();
  return { worker, link: new WorkerLink(() => worker) };
}

describe("the link to the worker of overlays", () => {
  it("gives each request its own answer, in any order", async () => {
    const { worker, link } = linked();
    const [first, second] = [link.ask("forget", { overlay: 1, key: "0/0/0" }), link.ask("close", { overlay: 1 })];
    expect(worker.sent.map(({ kind }) => kind)).toEqual(["forget", "close"]);
    worker.answer({ id: worker.sent[1]!.id, answer: null });
    worker.answer({ id: worker.sent[0]!.id, failure: "no memory", cancelled: false });
    await expect(second).resolves.toBeNull();
    await expect(first).rejects.toThrow(new OverlayWorkerError("no memory"));
  });

  it("tells the worker what is cancelled, while it is not answered", async () => {
    const { worker, link } = linked();
    const [control, late] = [new AbortController(), new AbortController()];
    const cancelled = link.ask("close", { overlay: 1 }, { signal: control.signal });
    const answered = link.ask("close", { overlay: 2 }, { signal: late.signal });
    const [first, second] = worker.sent.map(({ id }) => id);
    worker.answer({ id: second!, answer: null });
    late.abort();
    control.abort();
    expect(worker.sent.slice(2)).toEqual([{ id: first, kind: "cancel" }]);
    worker.answer({ id: first!, failure: "aborted", cancelled: true });
    await expect(cancelled).rejects.toMatchObject({ name: "AbortError" });
    await expect(answered).resolves.toBeNull();
  });

  it("rejects what waits once the worker has ended, and what is asked after", async () => {
    const { worker, link } = linked();
    const waiting = link.ask("close", { overlay: 1 });
    worker.onerror!({} as ErrorEvent);
    await expect(waiting).rejects.toThrow(OverlayWorkerError);
    await expect(link.ask("close", { overlay: 2 })).rejects.toThrow(OverlayWorkerError);
    expect(worker.ended).toBe(true);
  });
});
