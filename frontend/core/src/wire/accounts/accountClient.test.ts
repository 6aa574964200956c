import { afterEach, describe, expect, it, vi } from "vitest";
import { ContractError, OfflineError, ProblemError } from "../http/errors";
import { problemResponse, stubFetch } from "../http/fetchStub";
import * as client from "./accountClient";

afterEach(() => vi.unstubAllGlobals());

const user = { id: "u1", name: "ada", title: "Ada Byron", role: "annotator", password: true };
const entered = { ...user, recovery_codes: null };
const account = { mode: "accounts", user, provider: "Hospital", renew_after: 600, held: [] };

describe("reading the account", () => {
  it("gives the user, the name of the single sign-on and the time to renew", async () => {
    const requested = stubFetch(account);
    expect(await client.readAccount()).toEqual({ mode: "accounts", user, provider: "Hospital", renewAfter: 600 });
    expect(requested).toEqual([{ line: "GET /api/v1/account", body: null, revision: null }]);
  });

  it("gives no user where nobody is signed in", async () => {
    stubFetch({ mode: "accounts", user: null, provider: null, renew_after: null, held: [] });
    expect(await client.readAccount()).toEqual({ mode: "accounts", user: null, provider: null, renewAfter: null });
  });

  it.each([
    ["an unknown mode", { ...account, mode: "cloud" }, "/mode"],
    ["an unknown role", { ...account, user: { ...user, role: "owner" } }, "/user/role"],
    ["no time to renew", { ...account, renew_after: undefined }, "/renew_after"],
  ])("refuses %s as a breach of the contract", async (_, response, path) => {
    stubFetch(response);
    const error = await client.readAccount().catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ source: "GET /api/v1/account", path });
  });
});

describe("signing in and out", () => {
  it("sends name and password, and nothing in the address", async () => {
    const requested = stubFetch(entered);
    expect(await client.signIn("ada", "se cret")).toBeNull();
    expect(requested).toEqual([
      { line: "POST /api/v1/sign-in", body: { name: "ada", password: "se cret" }, revision: null },
    ]);
  });

  it("sends a new password only where one is chosen (AC51)", async () => {
    const requested = stubFetch(entered);
    await client.signIn("ada", "first", { newPassword: "my own long password" });
    await client.signIn("ada", "own", { newPassword: "", code: "" });
    expect(requested.map(({ body }) => body)).toEqual([
      { name: "ada", password: "first", new_password: "my own long password" },
      { name: "ada", password: "own" },
    ]);
  });

  it("sends a code, and hands on the recovery codes of a second factor that it turned on (AC54, AC56)", async () => {
    const requested = stubFetch({ ...user, recovery_codes: ["a", "b"] });
    expect(await client.signIn("ada", "own", { code: "123456" })).toEqual(["a", "b"]);
    expect(requested[0]!.body).toEqual({ name: "ada", password: "own", code: "123456" });
  });

  it("tells of wrong credentials with the service's problem", async () => {
    stubFetch(problemResponse(401, "wrong-credentials"));
    const error = await client.signIn("ada", "?").catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ problem: "wrong-credentials", status: 401 });
  });

  it("tells of a service that does not answer", async () => {
    stubFetch(new TypeError("Failed to fetch"));
    await expect(client.signOut()).rejects.toThrow(OfflineError);
  });

  it("signs out without a body", async () => {
    const requested = stubFetch(null);
    await client.signOut();
    expect(requested).toEqual([{ line: "POST /api/v1/sign-out", body: null, revision: null }]);
  });

  it("AC32: stays in by a renewal, and says whether it worked", async () => {
    const requested = stubFetch(null, new TypeError("offline"));
    expect([await client.renewNow(), await client.renewNow()]).toEqual([true, false]);
    expect(requested.map(({ line }) => line)).toEqual(["POST /api/v1/sign-in/renew", "POST /api/v1/sign-in/renew"]);
  });
});

describe("passwords and tokens", () => {
  it("changes the password and says what that has ended", async () => {
    const requested = stubFetch({ sign_ins: 2, tokens: 1 });
    expect(await client.changePassword("old", "new", false)).toEqual({ signIns: 2, tokens: 1 });
    expect(requested[0]).toMatchObject({
      line: "PUT /api/v1/account/password",
      body: { old: "old", new: "new", keep_tokens: false },
    });
  });

  it("lists the tokens in the service's order", async () => {
    const tokens = ["a", "b"].map((id) => ({
      id,
      title: id,
      created: "2026-01-01T00:00:00Z",
      expires: null,
      used: null,
      scopes: ["read"],
    }));
    stubFetch({ tokens });
    expect((await client.listTokens()).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it.each([30, null])("creates a token for %s days and gives its secret", async (days) => {
    const scopes = ["read", "share"] as const;
    const made = { id: "t", title: "CI", created: "2026-01-01T00:00:00Z", expires: null, used: null, token: "wst_1" };
    const requested = stubFetch({ ...made, scopes });
    expect(await client.createToken("CI", days, scopes)).toBe("wst_1");
    expect(requested[0]!.body).toEqual({ title: "CI", days, scopes });
  });

  it("revokes a token by its id, escaped in the path", async () => {
    const requested = stubFetch(null);
    await client.revokeToken("a/b");
    expect(requested[0]!.line).toBe("DELETE /api/v1/account/tokens/a%2Fb");
  });
});

it.each([
  ["admin", "admin"],
  ["instructor", "instructor"],
  ["owner", "viewer"],
  ["", "viewer"],
  ["Admin", "viewer"],
])("a form's role %j is the role %s", (name, role) => {
  expect(client.roleOf(name)).toBe(role);
});
