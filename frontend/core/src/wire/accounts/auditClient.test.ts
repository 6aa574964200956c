import { afterEach, describe, expect, it, vi } from "vitest";
import { ContractError } from "../http/errors";
import { stubFetch } from "../http/fetchStub";
import { auditFile, listAudit } from "./auditClient";

afterEach(() => vi.unstubAllGlobals());

const nothing = { action: "", slide: "", name: "", since: "" };
const entry = {
  sequence: 7,
  time: "2026-01-01T00:00:00Z",
  kind: "user",
  name: "ada",
  principal: "user:u1",
  address: "192.0.2.1",
  action: "view slide",
  slide: "he",
  hash: "00",
  detail: {},
};
const page = (detail: unknown, change: object = {}) => ({
  entries: [{ ...entry, detail, ...change }],
  before: null,
  actions: ["view slide"],
});

async function read(detail: unknown) {
  stubFetch(page(detail));
  const first = (await listAudit(nothing, null)).entries[0]!;
  return { title: first.title, file: first.file, detail: first.detail };
}

describe("PR35, PR37: the detail of an entry", () => {
  it.each([
    ["nothing", {}, { title: null, file: null, detail: "" }],
    ["a title", { title: "Duct" }, { title: "Duct", file: null, detail: "" }],
    ["a file", { file: "a.svs" }, { title: null, file: "a.svs", detail: "" }],
    ["a title that is null", { title: null }, { title: null, file: null, detail: "" }],
    ["a title that is a number", { title: 12 }, { title: "12", file: null, detail: "" }],
    ["other members", { sign_ins: 3, by: "link" }, { title: null, file: null, detail: "sign ins: 3, by: link" }],
    ["all of them", { title: "Duct", file: "a.svs", bytes: 9 }, { title: "Duct", file: "a.svs", detail: "bytes: 9" }],
  ])("with %s is shown in three columns", async (_, detail, expected) => {
    expect(await read(detail)).toEqual(expected);
  });
});

describe("listing", () => {
  it("asks without parameters where nothing is filtered", async () => {
    const requested = stubFetch({ entries: [], before: null, actions: [] });
    expect(await listAudit(nothing, null)).toEqual({ entries: [], before: null, actions: [] });
    expect(requested[0]!.line).toBe("GET /api/v1/audit");
  });

  it("sends what is filtered, without the spaces around it, and the page", async () => {
    const requested = stubFetch({ entries: [], before: 3, actions: [] });
    const { before } = await listAudit({ ...nothing, action: " export ", slide: "he 1", name: "  " }, 40);
    expect(before).toBe(3);
    expect(requested[0]!.line).toBe("GET /api/v1/audit?action=export&slide=he+1&before=40");
  });

  it("asks for the page before entry 0 as well", async () => {
    const requested = stubFetch({ entries: [], before: null, actions: [] });
    await listAudit(nothing, 0);
    expect(requested[0]!.line).toBe("GET /api/v1/audit?before=0");
  });

  it("begins a day at midnight of this browser's zone", async () => {
    const requested = stubFetch({ entries: [], before: null, actions: [] });
    await listAudit({ ...nothing, since: "2026-03-05" }, null);
    const since = new URL(requested[0]!.line.slice(4), "http://page").searchParams.get("since")!;
    expect(since).toMatch(/Z$/);
    const moment = new Date(since);
    expect([moment.getFullYear(), moment.getMonth(), moment.getDate(), moment.getHours()]).toEqual([2026, 2, 5, 0]);
  });

  it("refuses an entry whose number is a text", async () => {
    stubFetch(page({}, { sequence: "7" }));
    const error = await listAudit(nothing, null).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ path: "/entries/0/sequence" });
  });
});

it("the file of the log has the same filter as the list", () => {
  expect(auditFile({ ...nothing, action: "export", name: "ada & ben" })).toBe(
    "/api/v1/audit.ndjson?action=export&name=ada+%26+ben",
  );
  expect(auditFile(nothing)).toBe("/api/v1/audit.ndjson?");
});
