import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { FakePush, pushMessage } from "../testing";
import { PushClient, type PushView, parseBlock } from "./pushClient";

const VIEW: PushView = {
  z: 0,
  level: 1,
  region: [0, 0, 2, 2],
  field: [0, 0, 2, 2],
  held: "0000",
  layers: 2,
  centre: [1, 1],
  velocity: [0, 0],
};

function world() {
  const push = new FakePush();
  const events = { opened: vi.fn(), block: vi.fn(), complete: vi.fn(), closed: vi.fn() };
  const client = new PushClient(push.ports, { rate: 120_000, roundTrip: 310 }, events);
  return { push, events, client };
}

interface Schema {
  readonly $defs: Record<string, { readonly properties: Record<string, unknown>; readonly required: string[] }>;
}

describe("PushClient", () => {
  it("says hello with what was measured, and the newest view at once (WI112)", () => {
    const { push, client, events } = world();
    client.send({ ...VIEW, number: 1, bytes: 0, layers: 1 });
    client.send({ ...VIEW, number: 2, bytes: 300 });
    expect(push.sent).toEqual([]);
    push.socket.onopen?.();
    expect(events.opened).toHaveBeenCalledOnce();
    expect(push.sent).toEqual([
      { type: "hello", versions: [1], rate: 120_000, round_trip: 310 },
      { type: "view", ...VIEW, number: 2, bytes: 300 },
    ]);
  });

  it("sends exactly what the schema of the wire has (WI111)", () => {
    const text = readFileSync(new URL("../../../../../shared/wire/push.schema.json", import.meta.url), "utf8");
    const { $defs } = JSON.parse(text) as Schema;
    const { push, client } = world();
    push.socket.onopen?.();
    client.send({ ...VIEW, number: 1, bytes: 0 });
    push.socket.onmessage?.(pushMessage({ view: 1, index: 0 }, Uint8Array.of(1)));
    push.pass(30);
    const names = { hello: "PushHello", view: "PushView", ack: "PushAck" };
    for (const [type, name] of Object.entries(names)) {
      const message = push.ofType(type)[0]!;
      expect(Object.keys(message).sort(), name).toEqual(Object.keys($defs[name]!.properties).sort());
    }
  });

  it("acknowledges at once, then at most every 20 ms, all bytes that came (WI125)", () => {
    const { push, client, events } = world();
    push.socket.onopen?.();
    client.send({ ...VIEW, number: 1, bytes: 0 });
    push.pass(100);
    for (const index of [0, 1, 2]) push.socket.onmessage?.(pushMessage({ view: 1, index }, new Uint8Array(80)));
    expect(push.ofType("ack")).toEqual([{ type: "ack", bytes: 100, time: 1100 }]);
    push.pass(20);
    expect(push.ofType("ack").slice(1)).toEqual([{ type: "ack", bytes: 300, time: 1100 }]);
    expect(events.block).toHaveBeenCalledTimes(3);
    push.pass(1000);
    client.send({ ...VIEW, number: 2, bytes: 300 });
    expect(push.ofType("view")[1]).toMatchObject({ number: 2, bytes: 300 });
  });

  it("tells of the end of a view and of the connection, once (WI119)", () => {
    const { push, events } = world();
    push.socket.onopen?.();
    push.socket.onmessage?.('{"type": "welcome", "version": 1}');
    push.socket.onmessage?.(pushMessage({ view: 7, from: 0, to: 0, index: 0xffffffff }));
    expect(events.complete.mock.calls).toEqual([[7]]);
    push.socket.onclose?.(1006);
    push.socket.onclose?.(1006);
    expect(events.closed.mock.calls).toEqual([[1006]]);
  });

  it("ends a connection that sends what is no block (WI119)", () => {
    const { push, events } = world();
    push.socket.onopen?.();
    push.socket.onmessage?.(new ArrayBuffer(19));
    expect([push.closed, events.closed.mock.calls.length, events.block.mock.calls.length]).toEqual([1, 1, 0]);
  });

  it("is silent after it was closed", () => {
    const { push, client, events } = world();
    push.socket.onopen?.();
    client.close();
    push.socket.onmessage?.(pushMessage({ view: 1, index: 0 }));
    push.socket.onclose?.(1000);
    client.send({ ...VIEW, number: 1, bytes: 0 });
    expect([events.block.mock.calls, events.closed.mock.calls, push.ofType("view")]).toEqual([[], [], []]);
  });
});

describe("parseBlock", () => {
  const good = new Uint8Array(pushMessage({ view: 3, from: 1, to: 3, index: 9 }, Uint8Array.of(5, 6)));

  it("reads view, layers, index and payload (WI119)", () => {
    const frame = { index: 9, status: 0, payload: Uint8Array.of(5, 6) };
    expect(parseBlock(good)).toEqual({ view: 3, from: 1, to: 3, frame, bytes: 22 });
  });

  it("refuses every other length and status (WI119)", () => {
    for (let length = 0; length < good.length; length += 1) expect(parseBlock(good.slice(0, length))).toBeNull();
    expect(parseBlock(Uint8Array.of(...good, 0))).toBeNull();
    expect(parseBlock(good.with(12, 4))).toBeNull();
  });
});
