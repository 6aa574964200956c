import { afterEach, describe, expect, it, vi } from "vitest";
import { ContractError } from "../http/errors";
import { stubFetch } from "../http/fetchStub";
import * as client from "./usersClient";

afterEach(() => vi.unstubAllGlobals());

const user = {
  id: "u1",
  name: "ada",
  title: "Ada",
  role: "viewer",
  disabled: false,
  external: false,
  must_change: true,
  second_factor: false,
  groups: ["g1"],
};
const group = { id: "g1", name: "Residents", members: ["u1"] };

describe("AC37: users", () => {
  it("lists them, with those who sign in at the provider", async () => {
    stubFetch({ users: [user, { ...user, id: "u2", external: true }] });
    expect((await client.listUsers()).map(({ id, external }) => [id, external])).toEqual([
      ["u1", false],
      ["u2", true],
    ]);
  });

  it("creates one with name, title, role and password", async () => {
    const requested = stubFetch(user);
    const wanted = { name: "ada", title: "Ada", role: "viewer", password: "long enough" } as const;
    await client.createUser({ ...wanted, mustChange: true });
    expect(requested[0]).toMatchObject({ line: "POST /api/v1/users", body: { ...wanted, must_change: true } });
  });

  it.each([{ role: "admin" }, { disabled: true }, { must_change: true }] as const)(
    "changes only what is given: %j",
    async (change) => {
      const requested = stubFetch(user);
      await client.changeUser("u/1", change);
      expect(requested[0]).toMatchObject({ line: "PATCH /api/v1/users/u%2F1", body: change });
      expect(Object.keys(requested[0]!.body as object)).toEqual(Object.keys(change));
    },
  );

  it.each([
    ["what it has ended", { sign_ins: 3, tokens: 2 }, { signIns: 3, tokens: 2 }],
    ["nothing where the service names nothing", null, { signIns: 0, tokens: 0 }],
    ["nothing where the member is missing", undefined, { signIns: 0, tokens: 0 }],
  ])("another password tells %s", async (_, ended, expected) => {
    const requested = stubFetch({ ...user, ended });
    expect(await client.resetPassword("u1", "new", true, false)).toEqual(expected);
    expect(requested[0]!.body).toEqual({ password: "new", keep_tokens: true, must_change: false });
  });

  it("refuses a list with an unknown role", async () => {
    stubFetch({ users: [user, { ...user, role: "king" }] });
    const error = await client.listUsers().catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ path: "/users/1/role" });
  });
});

it("AC61: previews an import of accounts and creates them", async () => {
  const line = { line: 2, name: "bob", title: "", role: "viewer", groups: [], password: false, problem: "bad" };
  const previewed = stubFetch({ ok: false, lines: [line] });
  expect(await client.previewImport("name\nbob")).toEqual({ ok: false, lines: [line] });
  expect(previewed[0]).toMatchObject({ line: "POST /api/v1/users/import/preview", body: { csv: "name\nbob" } });
  const imported = { created: 1, passwords: [{ name: "bob", password: "secret" }] };
  const created = stubFetch(imported);
  expect(await client.importUsers("name\nbob")).toEqual(imported);
  expect(created[0]!.line).toBe("POST /api/v1/users/import");
});

describe("AC37: groups", () => {
  it("lists, creates and deletes them", async () => {
    expect(stubFetch({ groups: [group] })).toEqual([]);
    expect(await client.listGroups()).toEqual([group]);
    const created = stubFetch(group);
    await client.createGroup("Residents");
    expect(created[0]).toMatchObject({ line: "POST /api/v1/groups", body: { name: "Residents" } });
    const deleted = stubFetch(null);
    await client.deleteGroup("g1");
    expect(deleted[0]!.line).toBe("DELETE /api/v1/groups/g1");
  });

  it("sets all members at once, also none", async () => {
    const requested = stubFetch({ ...group, members: [] });
    await client.setMembers("g1", []);
    expect(requested[0]).toMatchObject({ line: "PATCH /api/v1/groups/g1", body: { members: [] } });
  });
});

it("AC36: finds people and groups to share with", async () => {
  const found = { users: [{ id: "u1", name: "ada", title: "Ada" }], groups: [] };
  const requested = stubFetch(found);
  expect(await client.findPeople("a & b")).toEqual(found);
  expect(requested[0]!.line).toBe("GET /api/v1/people?search=a+%26+b");
});
