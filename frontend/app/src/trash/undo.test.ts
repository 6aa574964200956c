import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { problemResponse } from "@wavescope/core/wire/http/fetchStub";
import "@wavescope/core/wire/http/ownWords";
import { captured } from "../rendered";
import { queryClient } from "../state/queries";
import { useDeleteWithUndo } from "./undo";

const notices = vi.hoisted(() => ({ failures: [] as string[][], offers: [] as { text: string; undo: () => void }[] }));
vi.mock("../ui/notice", () => ({
  notifyFailure: (...words: string[]) => notices.failures.push(words),
  notifyWithUndo: (text: string, undo: () => void) => notices.offers.push({ text, undo }),
}));

const duct = { id: "a", title: "Duct" };
const lobule = { id: "b", title: "Lobule" };

/** Requests that the service refuses, as `DELETE /api/v1/slides/a`. */
let refused: Set<string>;
let asked: string[];
/** Requests that are answered when the test says so. */
let waiting: Map<string, () => void>;
beforeEach(() => {
  refused = new Set();
  waiting = new Map();
  asked = [];
  notices.failures.length = notices.offers.length = 0;
  queryClient.clear();
  queryClient.setQueryData(["slides", ""], { slides: [] });
  vi.stubGlobal("fetch", async (url: string, { method = "GET" }: RequestInit) => {
    const line = `${method} ${url.replace("/api/v1", "")}`;
    asked.push(line);
    if (waiting.has(line)) await new Promise<void>((response) => waiting.set(line, response));
    return refused.has(line) ? problemResponse(403, "forbidden") : new Response(null, { status: 204 });
  });
});
afterEach(() => vi.unstubAllGlobals());

/** Whether the lists are to be asked for again. */
const listsAreStale = (): boolean => queryClient.getQueryState(["slides", ""])!.isInvalidated;

const remove = (...slides: (typeof duct)[]): void => captured(useDeleteWithUndo)(slides);

describe("deleting slides", () => {
  it("moves them into the trash, brings the lists up to date, and offers to take it back", async () => {
    remove(duct);
    await vi.waitFor(() => expect(notices.offers.map(({ text }) => text)).toEqual(["“Duct” is in the trash."]));
    expect([asked, notices.failures, listsAreStale()]).toEqual([["DELETE /slides/a"], [], true]);
  });

  it("is one step for several slides, and the notice says how many", async () => {
    remove(duct, lobule);
    await vi.waitFor(() => expect(notices.offers.map(({ text }) => text)).toEqual(["2 slides are in the trash."]));
    expect(asked).toEqual(["DELETE /slides/a", "DELETE /slides/b"]);
  });

  it("that the service refuses is reported, and nothing is offered", async () => {
    refused.add("DELETE /slides/a");
    remove(duct);
    await vi.waitFor(() => expect(listsAreStale()).toBe(true));
    expect(notices.failures).toEqual([["Not deleted", expect.stringContaining("Its owner can give you the right")]]);
    expect(notices.offers).toEqual([]);
  });

  it("of which one is refused can be taken back for those that are in the trash", async () => {
    refused.add("DELETE /slides/b");
    remove(duct, lobule);
    await vi.waitFor(() => expect(notices.offers.map(({ text }) => text)).toEqual(["“Duct” is in the trash."]));
    expect(notices.failures).toHaveLength(1);
    notices.offers[0]!.undo();
    await vi.waitFor(() => expect(asked.slice(2)).toEqual(["POST /trash/a/restore"]));
  });

  it("brings the lists up to date only when every slide is answered for, also after a refusal", async () => {
    refused.add("DELETE /slides/a");
    waiting.set("DELETE /slides/b", () => undefined);
    remove(duct, lobule);
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(listsAreStale()).toBe(false);
    waiting.get("DELETE /slides/b")!();
    await vi.waitFor(() => expect(listsAreStale()).toBe(true));
  });
});

describe("taking it back", () => {
  async function deleted(): Promise<() => void> {
    remove(duct, lobule);
    await vi.waitFor(() => expect(notices.offers).toHaveLength(1));
    asked.length = 0;
    queryClient.setQueryData(["slides", ""], { slides: [] });
    return notices.offers[0]!.undo;
  }

  it("restores every slide and brings the lists up to date", async () => {
    const undo = await deleted();
    expect(listsAreStale()).toBe(false);
    undo();
    await vi.waitFor(() => expect(listsAreStale()).toBe(true));
    expect([asked, notices.failures]).toEqual([["POST /trash/a/restore", "POST /trash/b/restore"], []]);
  });

  it("reports a slide that cannot be restored, and still shows the others", async () => {
    const undo = await deleted();
    refused.add("POST /trash/a/restore");
    undo();
    await vi.waitFor(() => expect(listsAreStale()).toBe(true));
    expect(notices.failures.map(([title]) => title)).toEqual(["Not restored"]);
  });
});
