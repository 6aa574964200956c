import { describe, expect, it } from "vitest";
import type { Member } from "@wavescope/core/session/state";
import { member, session } from "@wavescope/core/session/testing";
import { rendered } from "../../rendered";
import { HandQueue } from "./HandQueue";

const queue = (you: string, members: readonly Member[]): string =>
  rendered(<HandQueue session={session({ members })} you={you} />);
const raised = [
  member("m1"),
  member("m2", { hand: 20 }),
  member("m3", { hand: 10 }),
  member("m4", { hand: 5, present: false }),
];
const order = (html: string): string[] => [...html.matchAll(/data-hand="(\w+)"/g)].map(([, id]) => id!);

describe("SE53: the queue of raised hands", () => {
  it("has those present in the order in which they raised a hand", () => {
    expect(order(queue("m1", raised))).toEqual(["m3", "m2"]);
  });

  it("is not there while no hand is raised", () => {
    expect(queue("m1", [member("m1"), member("m2")])).not.toContain("hand-queue");
  });

  it("lets presenter and owner hand over and lower; others only lower their own", () => {
    expect(queue("m1", raised).match(/<button/g)).toHaveLength(5);
    expect(queue("m2", raised).match(/<button/g)).toHaveLength(1);
    expect(queue("m2", raised)).toContain("Lower the hand of Ben");
  });
});
