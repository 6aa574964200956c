import { describe, expect, it } from "vitest";
import { ContractError } from "../wire/http/errors";
import { parseMessage } from "./messages";
import { entry, member, session, view } from "./testing";

const tick = { type: "tick", time: 1, stage: 1, views: [entry()], cursors: null, annotations: null };
const welcome = {
  type: "welcome",
  version: 1,
  you: "m2",
  resumed: false,
  state: session(),
  last_ref: 0,
  tick_ms: 33,
  time: 5,
};
const event = { type: "event", sequence: 1, time: 1, by: "m1", event: { kind: "member", member: member("m3") } };
const read = (message: unknown) => parseMessage(JSON.stringify(message));

describe("a message of the service", () => {
  it.each([tick, welcome, event, { type: "pong", t: 1, time: 1 }])("of type $type is read as it is", (message) => {
    expect(read(message)).toEqual(message);
  });

  it("SE12: may have members that are not known, and may be of a type or tell of an event that is not", () => {
    expect(read({ ...tick, later: 1, views: [{ ...entry(), later: 1 }] })).toMatchObject({ later: 1 });
    expect(read({ type: "weather", sun: true })).toBeNull();
    expect(read({})).toBeNull();
    expect(read({ ...event, event: { kind: "weather", sun: true } })).toMatchObject({ sequence: 1, event: null });
  });

  it.each([
    ["a welcome without its state", { ...welcome, state: undefined }, "/state"],
    [
      "a member's name that is no text",
      { ...welcome, state: session({ members: [member("m1", { name: 5 as never })] }) },
      "/state/members/0/name",
    ],
    [
      "a phase that is not one of those listed",
      { ...welcome, state: session({ state: "asleep" as never }) },
      "/state/state",
    ],
    ["an event without its number", { ...event, sequence: undefined }, "/sequence"],
    ["an event of a known kind without its content", { ...event, event: { kind: "note" } }, "/event/note"],
    ["an event that is none", { ...event, event: 5 }, "/event"],
    ["a view in words", { ...tick, views: [entry({ view: view({ l0_x: "far" as never }) })] }, "/views/0/view/l0_x"],
    ["a view without a width", { ...tick, views: [entry({ view: view({ l0_width: 0 }) })] }, "/views/0/view/l0_width"],
    [
      "a cursor in another pane",
      { ...tick, cursors: [{ by: "m1", pane: 4, l0_x: 1, l0_y: 1, laser: false }] },
      "/cursors/0/pane",
    ],
    ["an answer to no operation", { type: "ack", sequence: 1, error: null }, "/ref"],
    ["a list", [tick], ""],
    ["nothing", null, ""],
  ])("with %s is a ContractError that says where", (_, message, path) => {
    expect(() => read(message)).toThrow(ContractError);
    expect(() => read(message)).toThrow(expect.objectContaining({ source: "session", path }));
  });

  it("is JSON in text", () => {
    expect(() => parseMessage("{")).toThrow(ContractError);
    expect(() => parseMessage(new ArrayBuffer(2))).toThrow(ContractError);
  });
});
