import { describe, expect, it, vi } from "vitest";
import type { NumberedView } from "./pushClient";
import { type PushOrder, type PushReport, type PushWorker, openInWorker } from "./pushInWorker";

const MEASURES = { rate: null, roundTrip: 100 };

function world() {
  const orders: PushOrder[] = [];
  const worker: PushWorker & { ended: number } = {
    onmessage: null,
    onerror: null,
    postMessage: (order) => void orders.push(order),
    terminate: () => void (worker.ended += 1),
    ended: 0,
  };
  const events = { opened: vi.fn(), block: vi.fn(), complete: vi.fn(), closed: vi.fn() };
  const connection = openInWorker(() => worker, "ws://x/push")(MEASURES, events);
  const report = (data: PushReport): void => worker.onmessage?.({ data } as MessageEvent<PushReport>);
  return { orders, worker, events, connection, report };
}

describe("openInWorker (WI110)", () => {
  it("opens once, then passes views on", () => {
    const { orders, connection } = world();
    const view = { number: 1, bytes: 0, z: 0 } as NumberedView;
    connection.send(view);
    expect(orders).toEqual([
      { type: "open", url: "ws://x/push", measures: MEASURES },
      { type: "view", view },
    ]);
  });

  it("tells of what the worker reports", () => {
    const { events, worker, report } = world();
    const block = { view: 1, from: 0, to: 1, frame: { index: 0, status: 0, payload: new Uint8Array() }, bytes: 20 };
    report({ type: "opened" });
    report({ type: "block", block });
    report({ type: "complete", view: 1 });
    report({ type: "closed", code: 1006 });
    report({ type: "closed", code: 1006 });
    expect(events.opened).toHaveBeenCalledOnce();
    expect([events.block.mock.calls, events.complete.mock.calls]).toEqual([[[block]], [[1]]]);
    expect([events.closed.mock.calls, worker.ended]).toEqual([[[1006]], 1]);
  });

  it("is closed when its worker cannot be started, and silent after close", () => {
    const failing = world();
    failing.worker.onerror?.({} as ErrorEvent);
    expect(failing.events.closed).toHaveBeenCalledOnce();
    const { connection, worker, events, report } = world();
    connection.close();
    report({ type: "closed", code: 1000 });
    expect([events.closed.mock.calls.length, worker.ended]).toEqual([0, 1]);
  });
});
