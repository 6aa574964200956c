import { describe, expect, it } from "vitest";
import type { Account } from "@wavescope/core/wire/accounts/accountClient";
import { ContractError, OfflineError, ProblemError } from "@wavescope/core/wire/http/errors";
import { type Thing, pageErrorOf, roleErrorOf } from "./pageErrors";

const problem = (status: number) => new ProblemError("x", status, "Title", "Detail");
const local: Account = { mode: "local", user: null, provider: null, renewAfter: null };
const stranger: Account = { ...local, mode: "accounts" };
const vera: Account = { ...stranger, user: { id: "v", name: "vera", title: "Vera", role: "viewer", password: true } };
const THINGS: readonly Thing[] = ["slide", "tour", "case", "recording", "preview", "session"];

describe.each(THINGS)("a %s", (thing) => {
  it("that is not there is called so, and nothing of sharing is said without accounts", () => {
    const { kind, title, reason } = pageErrorOf(problem(404), thing, local);
    expect([kind, title]).toEqual(["missing", `${thing[0]!.toUpperCase()}${thing.slice(1)} not found`]);
    expect(reason).not.toMatch(/shared|account|sign/i);
  });

  it("that cannot be had says what helps", () => {
    expect(pageErrorOf(problem(404), thing, stranger).kind).toBe("sign-in");
    expect(pageErrorOf(problem(404), thing, vera).kind).toBe("missing");
    expect(pageErrorOf(problem(401), thing, stranger).title).toBe(`Sign in to view this ${thing}`);
    expect(pageErrorOf(problem(403), thing, vera).title).toBe(`You cannot view this ${thing}`);
    expect(pageErrorOf(new OfflineError("no"), thing, vera).kind).toBe("waiting");
    expect(pageErrorOf(new ContractError("GET /slides", "/total", "type"), thing, vera)).toEqual({
      kind: "fault",
      title: `The ${thing} cannot be shown`,
      reason: expect.stringContaining("Reload the page") as string,
    });
  });
});

it("tells who may see a page, and who one is", () => {
  expect(roleErrorOf("the audit log", "admin", vera)).toEqual({
    kind: "forbidden",
    title: "You cannot view the audit log",
    reason: "Only administrators can view it. You are signed in as Vera (Viewer).",
  });
  expect(roleErrorOf("the trash", "instructor", stranger).kind).toBe("sign-in");
});
