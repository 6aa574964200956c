import { afterEach, describe, expect, it, vi } from "vitest";
import { ContractError, isRefusal } from "../http/errors";
import { problemResponse, stubFetch } from "../http/fetchStub";
import {
  type ShareKind,
  createLink,
  listLinks,
  openLink,
  readSharing,
  revokeLink,
  writeSharing,
} from "./sharingClient";

afterEach(() => vi.unstubAllGlobals());

const share = { kind: "user", id: "u1", title: "Ada", right: "annotate" } as const;
const sharing = { owner: { id: "u0", name: "ben", title: "Ben" }, public: true, shares: [share] };
const link = {
  id: "l1",
  scope: "slide",
  target: "s 1",
  right: "view",
  title: "For the board",
  created: "2026-01-01T00:00:00Z",
  expires: null,
  revoked: null,
  used: null,
  over: false,
};

describe.each<[ShareKind, string]>([
  ["slide", "/api/v1/slides/s%201"],
  ["case", "/api/v1/cases/s%201"],
])("sharing a %s", (scope, base) => {
  it("reads with whom it is shared", async () => {
    const requested = stubFetch(sharing);
    expect(await readSharing(scope, "s 1")).toEqual(sharing);
    expect(requested[0]!.line).toBe(`GET ${base}/sharing`);
  });

  it("writes rights without the names, which the service knows", async () => {
    const requested = stubFetch(sharing);
    await writeSharing(scope, "s 1", sharing);
    expect(requested[0]).toMatchObject({
      line: `PUT ${base}/sharing`,
      body: { public: true, shares: [{ kind: "user", id: "u1", right: "annotate" }] },
    });
  });

  it("lists its links", async () => {
    const requested = stubFetch({ links: [link] });
    expect(await listLinks(scope, "s 1")).toEqual([link]);
    expect(requested[0]!.line).toBe(`GET ${base}/links`);
  });

  it("creates a link and gives the token that is shown once", async () => {
    const requested = stubFetch({ ...link, token: "tok" });
    const wanted = { right: "view", title: "For the board", seconds: null } as const;
    expect(await createLink(scope, "s 1", wanted)).toBe("tok");
    expect(requested[0]).toMatchObject({ line: `POST ${base}/links`, body: wanted });
  });

  it("refuses a right that the contract does not know", async () => {
    stubFetch({ ...sharing, shares: [{ ...share, right: "own" }] });
    const error = await readSharing(scope, "s 1").catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ path: "/shares/0/right" });
  });
});

it("revokes a link by its id alone", async () => {
  const requested = stubFetch({ ...link, revoked: "2026-01-02T00:00:00Z", over: true });
  await revokeLink("l1");
  expect(requested.map(({ line }) => line)).toEqual(["DELETE /api/v1/links/l1"]);
});

it("opens a link with its token in the body, not in the address", async () => {
  const requested = stubFetch({ scope: "case", target: "c1", right: "view", expires: null });
  expect(await openLink("tok")).toMatchObject({ scope: "case", target: "c1" });
  expect(requested[0]).toMatchObject({ line: "POST /api/v1/links/open", body: { token: "tok" } });
});

it("a link that is over is a refusal: it is not tried again", async () => {
  stubFetch(problemResponse(404, "unknown-link"));
  expect(isRefusal(await openLink("tok").catch((cause: unknown) => cause))).toBe(true);
});
