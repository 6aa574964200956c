import { afterEach, describe, expect, it, vi } from "vitest";
import { OfflineError } from "../http/errors";
import { stubFetch } from "../http/fetchStub";
import { slideStore } from "../stored/slideStore";
import { servedManifest } from "../testing";
import { checkManifest, markChecked } from "./manifestCheck";
import { beginManifest, fromStore, openManifest } from "./manifestClient";

const STALE = "wavescope-edge; fwd=stale; detail=origin-unreachable";
const response = (status?: string) =>
  Response.json(servedManifest(), { headers: status === undefined ? {} : { "Cache-Status": status } });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("a manifest that an edge answers", () => {
  it("is marked while the edge cannot reach its origin, and confirms no right (ED22)", async () => {
    const allow = vi.spyOn(slideStore, "allow");
    stubFetch(response(`nginx; hit, ${STALE}`), response(STALE), response("wavescope-edge; hit; detail=revalidated"));
    const manifest = await openManifest("s");
    expect(fromStore.getState().manifests.get(manifest)).toBe("edge");
    expect(await checkManifest("s")).toBe(null);
    expect(allow).not.toHaveBeenCalled();
    expect(await checkManifest("s")).toMatchObject({ id: "s" });
    expect(allow).toHaveBeenCalledOnce();
    markChecked(manifest);
    expect(fromStore.getState().manifests.size).toBe(0);
  });

  it("is not marked otherwise", async () => {
    stubFetch(response(), response("wavescope-edge; hit"), response("other-cache; fwd=stale"));
    for (let number = 0; number < 3; number += 1) await openManifest("s");
    expect(fromStore.getState().manifests.size).toBe(0);
  });
});

it("comes from the store of the browser where no service answers (PG24)", async () => {
  vi.spyOn(slideStore, "manifest").mockResolvedValue(servedManifest());
  stubFetch(new TypeError("failed"));
  const manifest = await openManifest("s");
  expect(fromStore.getState().manifests.get(manifest)).toBe("browser");
  markChecked(manifest);
});

describe("a manifest that was begun before the page is here (PG8)", () => {
  it("is taken by the next call for its slide, once", async () => {
    const asked = stubFetch(response());
    const begun = beginManifest("s");
    expect(await openManifest("s")).toBe(await begun);
    expect(asked).toHaveLength(1);
    await openManifest("s");
    expect(asked).toHaveLength(2);
  });

  it("is not that of another slide, and its failure is reported by the call that takes it", async () => {
    const asked = stubFetch(new TypeError("failed"));
    void beginManifest("s").catch(() => undefined);
    await expect(openManifest("s")).rejects.toThrow(OfflineError);
    void beginManifest("s").catch(() => undefined);
    await expect(openManifest("other")).rejects.toThrow(OfflineError);
    expect(asked).toHaveLength(3);
  });
});
