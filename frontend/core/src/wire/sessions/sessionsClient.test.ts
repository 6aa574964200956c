import { afterEach, describe, expect, it, vi } from "vitest";
import { ContractError } from "../http/errors";
import { problemResponse, stubFetch } from "../http/fetchStub";
import * as client from "./sessionsClient";

afterEach(() => vi.unstubAllGlobals());

const body = {
  id: "5f0c",
  code: "7KQM2XWD",
  title: "Breast",
  state: "live",
  owner: true,
  members: 3,
  passcode: false,
  guests: true,
  created: "2026-01-01T00:00:00Z",
  ended: null,
  link: "/join/7KQM2XWD",
  recording: null,
  settings: { everyone_steers: false, guests_annotate: false, locked: false },
  slides: [{ id: "he", title: "Duct" }],
};
const session = {
  id: "5f0c",
  code: "7KQM2XWD",
  title: "Breast",
  state: "live",
  owner: true,
  present: 3,
  passcode: false,
  guests: true,
};
const recording = {
  id: "r1",
  session: "5f0c",
  title: "Breast",
  state: "done",
  owner: true,
  shared: false,
  bytes: 100,
  chunks: 3,
  duration: 5000,
  created: "2026-01-01T00:00:00Z",
  slides: [{ id: "he", title: "Duct" }],
} as const;

describe("sessions", () => {
  it("SE3: are created with what is given", async () => {
    const requested = stubFetch(body);
    expect(await client.createSession({ nickname: "Ada", slides: ["he"], passcode: null })).toEqual(session);
    expect(requested[0]).toMatchObject({
      line: "POST /api/v1/sessions",
      body: { nickname: "Ada", slides: ["he"], passcode: null },
    });
  });

  it("are listed with the number of those present", async () => {
    stubFetch({ sessions: [body, { ...body, id: "2", members: 0, state: "paused" }] });
    expect((await client.listSessions()).map(({ id, state, present }) => [id, state, present])).toEqual([
      ["5f0c", "live", 3],
      ["2", "paused", 0],
    ]);
  });

  it("get another code on request", async () => {
    const requested = stubFetch(body);
    await client.replaceCode("5f/0c");
    expect(requested[0]).toMatchObject({ line: "PATCH /api/v1/sessions/5f%2F0c", body: { new_code: true } });
  });

  it("have a live connection of their own", () => {
    expect(client.livePath("5f/0c")).toBe("/api/v1/sessions/5f%2F0c/live");
  });
});

describe("joining", () => {
  const invitation = {
    code: "7KQM2XWD",
    title: "Breast",
    host: "Ada",
    state: "live",
    passcode: true,
    account: false,
    recording: false,
    joined: null,
  };

  it("reads what a code leads to", async () => {
    const requested = stubFetch(invitation);
    expect(await client.readInvitation("7KQM2XWD")).toEqual(invitation);
    expect(requested[0]!.line).toBe("GET /api/v1/sessions/7KQM2XWD");
  });

  it("a session's own document is no invitation", async () => {
    stubFetch(body);
    const error = await client.readInvitation("7KQM2XWD").catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ path: "/host", rule: "missing" });
  });

  it.each(["secret", null])("joins under a name with the passcode %j and gives the session's id", async (passcode) => {
    const requested = stubFetch({ id: "5f0c", member: "m2", live: "/api/v1/sessions/5f0c/live" });
    expect(await client.joinSession("7KQM 2XWD", "Ben", passcode)).toBe("5f0c");
    expect(requested[0]).toMatchObject({
      line: "POST /api/v1/sessions/7KQM%202XWD/join",
      body: { nickname: "Ben", passcode },
    });
  });

  it("with a wrong passcode is the service's problem", async () => {
    stubFetch(problemResponse(403, "wrong-passcode"));
    await expect(client.joinSession("7KQM2XWD", "Ben", "x")).rejects.toMatchObject({ problem: "wrong-passcode" });
  });
});

describe("recordings", () => {
  it("are listed and read", async () => {
    const requested = stubFetch({ recordings: [recording] }, recording);
    expect(await client.listRecordings()).toEqual([recording]);
    expect(await client.readRecording("r1")).toEqual(recording);
    expect(requested.map(({ line }) => line)).toEqual(["GET /api/v1/recordings", "GET /api/v1/recordings/r1"]);
  });

  it("SE39: their entries are read chunk by chunk and come in order, whichever chunk comes first", async () => {
    const chunk = (number: number, entries: unknown[]) => ({ chunk: number, chunks: 3, entries });
    const views = (time: number) => ({ kind: "views", time, views: [] });
    const requested = stubFetch(chunk(0, [views(1), views(2)]), chunk(1, []), chunk(2, [views(3)]));
    expect((await client.readEntries(recording)).map(({ time }) => time)).toEqual([1, 2, 3]);
    expect(requested.map(({ line }) => line.split("?")[1])).toEqual(["chunk=0", "chunk=1", "chunk=2"]);
  });

  it("without chunks have no entries and are not asked for", async () => {
    const requested = stubFetch(null);
    expect(await client.readEntries({ ...recording, chunks: 0 })).toEqual([]);
    expect(requested).toEqual([]);
  });

  it("are not read in part: a chunk that fails fails all", async () => {
    stubFetch({ chunk: 0, chunks: 3, entries: [] }, problemResponse(404, "unknown-recording"));
    await expect(client.readEntries(recording)).rejects.toMatchObject({ problem: "unknown-recording" });
  });

  it.each([true, false])("are shared or not: %s", async (shared) => {
    const requested = stubFetch({ ...recording, shared });
    expect((await client.shareRecording("r1", shared)).shared).toBe(shared);
    expect(requested[0]).toMatchObject({ line: "PATCH /api/v1/recordings/r1", body: { shared } });
  });

  it("are deleted", async () => {
    const requested = stubFetch(null);
    await client.deleteRecording("r1");
    expect(requested[0]!.line).toBe("DELETE /api/v1/recordings/r1");
  });

  it("SE40: become a tour, whose id is given", async () => {
    const requested = stubFetch({
      id: "t1",
      slide_id: "he",
      case_id: null,
      revision: 1,
      created: "2026-01-01T00:00:00Z",
      updated: "2026-01-01T00:00:00Z",
      tour: { title: "Duct" },
    });
    expect(await client.tourOfRecording("r1", "Duct")).toBe("t1");
    expect(requested[0]).toMatchObject({ line: "POST /api/v1/recordings/r1/tour", body: { title: "Duct" } });
  });
});
