import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Account, Role } from "@wavescope/core/wire/accounts/accountClient";
import { ContractError, OfflineError, ProblemError } from "@wavescope/core/wire/http/errors";
import { openPage } from "../fakePage";
import { rendered } from "../rendered";
import { queryClient } from "../state/queries";
import { Failure } from "./Failure";
import { RoleGate } from "./RoleGate";
import { mayAs } from "./account";

vi.mock("./SignInButton", () => ({ SignInButton: () => <a href="/sign-in">Sign in</a> }));

beforeEach(() => void openPage("/audit"));
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

const account = (role: Role | null): Account => ({
  mode: "accounts",
  user: role && { id: "u", name: "ada", title: "Ada", role, password: true },
  provider: null,
  renewAfter: null,
});
const local: Account = { ...account(null), mode: "local" };
const signedIn = (now: Account | null): unknown => now && queryClient.setQueryData(["account"], now);

describe("the order of roles", () => {
  it.each<[Role, Role, boolean]>([
    ["viewer", "viewer", true],
    ["viewer", "annotator", false],
    ["annotator", "viewer", true],
    ["instructor", "admin", false],
    ["admin", "instructor", true],
  ])("a %s may do what a %s may: %s", (role, least, may) => {
    expect(mayAs(account(role), least)).toBe(may);
  });

  it("nobody who is not signed in has a role, and without accounts everyone has all", () => {
    expect([mayAs(account(null), "viewer"), mayAs(local, "admin")]).toEqual([false, true]);
  });
});

describe("a page for some roles", () => {
  const gate = (now: Account | null, accountsOnly = false): string => {
    signedIn(now);
    return rendered(
      <RoleGate least="admin" name="the audit log" accountsOnly={accountsOnly}>
        <p>secret page</p>
      </RoleGate>,
    );
  };

  it.each<[string, Account | null, boolean, boolean]>([
    ["an administrator", account("admin"), false, true],
    ["an instructor", account("instructor"), false, false],
    ["a stranger", account(null), false, false],
    ["everyone without accounts", local, false, true],
    ["nobody without accounts, where it needs them", local, true, false],
    ["nobody before the account is known", null, false, false],
  ])("is shown to %s", (_, now, accountsOnly, shown) => {
    expect(gate(now, accountsOnly).includes("secret page")).toBe(shown);
  });

  it("offers to sign in only to who is not signed in", () => {
    expect(gate(account(null))).toContain("/sign-in");
    expect(gate(account("viewer"))).not.toContain("/sign-in");
  });
});

describe("a failure", () => {
  const problem = (status: number): ProblemError => new ProblemError("x", status, "T", "d");

  it.each<[string, unknown, Account, string, boolean]>([
    ["no connection", new OfflineError("x"), account(null), "waiting", false],
    ["a slide that needs an account", problem(401), account(null), "sign-in", true],
    ["a slide that is not shared", problem(403), account("viewer"), "forbidden", false],
    ["a slide that is not there, to a stranger", problem(404), account(null), "sign-in", true],
    ["a slide that is not there, to a user", problem(404), account("viewer"), "missing", false],
    ["a slide that is not there, without accounts", problem(404), local, "missing", false],
    ["data that are not understood", new ContractError("a", "", "x"), local, "fault", false],
  ])("by %s says so, and offers to sign in where that may help", (_, error, now, kind, signIn) => {
    signedIn(now);
    const html = rendered(<Failure error={error} thing="slide" />);
    expect(html).toContain(`data-kind="${kind}"`);
    expect(html.includes("/sign-in")).toBe(signIn);
  });
});
