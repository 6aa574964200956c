import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stub } from "@wavescope/core/stub";
import type { Microscope } from "@wavescope/viewer/core/microscope";

const owner: { owner: string | null } = { owner: "user-1" };
const stored = (agreed: boolean, shared = false) => ({ slides: [], reviewed: [], agreed, shared });
const client = {
  shareCoverage: vi.fn((shared: boolean) => Promise.resolve(stored(true, shared))),
  storedSlides: vi.fn(() => Promise.resolve(stored(false))),
  readStoredCoverage: vi.fn(() => Promise.resolve<object>({ views: [], at: null, reviewed: null })),
  storeCoverage: vi.fn<(slide: string, log: object) => Promise<void>>(() => Promise.resolve()),
  deleteStoredCoverage: vi.fn(() => Promise.resolve()),
};
let noted: boolean | null = null;
vi.mock("openseadragon", () => ({ default: { pixelDensityRatio: 1 } }));
vi.mock("@wavescope/core/wire/stored/slideStore", () => ({ slideStore: owner }));
vi.mock("@wavescope/core/wire/accounts/coverageClient", () => client);
vi.mock("@wavescope/core/wire/stored/seenStore", () => ({
  agreed: () => noted,
  noteAgreed: (yes: boolean) => void (noted = yes),
}));
const failures: string[] = [];
vi.mock("../../ui/notice", () => ({ notifyFailure: (title: string) => failures.push(title) }));
const { agreement, setAgreed, setShared, storeWithAccount } = await import("./accountCoverage");
const { coverageOf } = await import("@wavescope/viewer/navigation/coverage");

const view = (l0_x: number) => ({
  l0_x,
  l0_y: 0,
  l0_width: 100,
  l0_height: 50,
  rotation: 0,
  scale: 1,
  seconds: 1,
  sharp: true,
});
const open = () => stub<Microscope>({ manifest: { id: "s" } });
const settle = () => vi.advanceTimersByTimeAsync(0);
const sent = () => client.storeCoverage.mock.calls.map(([, log]) => (log as { views: unknown[] }).views.length);

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("removeEventListener", () => undefined);
  noted = null;
  owner.owner = "user-1";
  agreement.setState({ agreed: null, shared: false });
  client.storedSlides.mockResolvedValue(stored(false));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("coverage with the account (CV8)", () => {
  it("stores nothing of a user who did not agree, and asks nothing of one who said so", async () => {
    const microscope = open();
    storeWithAccount(microscope);
    await settle();
    coverageOf(microscope).setState({ views: [view(0)] });
    await vi.advanceTimersByTimeAsync(10_000);
    expect([client.storedSlides.mock.calls.length, sent(), noted]).toEqual([1, [], false]);
    storeWithAccount(open());
    await settle();
    expect(client.storedSlides).toHaveBeenCalledOnce();
  });

  it("asks nothing where nobody is signed in", async () => {
    for (const nobody of [null, "local"]) {
      owner.owner = nobody;
      storeWithAccount(open());
      await settle();
    }
    expect(client.storedSlides).not.toHaveBeenCalled();
  });

  it("takes up what is stored of one who agreed, and stores additions together, the last when the slide is left", async () => {
    client.storedSlides.mockResolvedValue(stored(true));
    client.readStoredCoverage.mockResolvedValue({ views: [[500, 0, 100, 50, 0, 1, 3, 1]], at: [7, 8], reviewed: 5 });
    const microscope = open();
    coverageOf(microscope).setState({ views: [view(0)] });
    const leave = storeWithAccount(microscope);
    await settle();
    expect(coverageOf(microscope).getState()).toMatchObject({
      views: [{ l0_x: 500 }, { l0_x: 0 }],
      at: { l0_x: 7 },
      reviewed: 5,
    });
    for (const x of [1000, 2000]) coverageOf(microscope).setState(({ views }) => ({ views: [...views, view(x)] }));
    await vi.advanceTimersByTimeAsync(3000);
    expect(sent()).toEqual([4]);
    coverageOf(microscope).setState(({ views }) => ({ views: [...views, view(3000)] }));
    leave();
    await settle();
    expect(sent()).toEqual([4, 5]);
  });

  it("ends on a page that is open while the user withdraws it elsewhere", async () => {
    client.storedSlides.mockResolvedValueOnce(stored(true));
    const microscope = open();
    storeWithAccount(microscope);
    await settle();
    expect(agreement.getState().agreed).toBe(true);
    coverageOf(microscope).setState({ views: [view(0)] });
    await vi.advanceTimersByTimeAsync(3000);
    expect([sent(), noted, agreement.getState().agreed]).toEqual([[], false, false]);
  });

  it("stores nothing any more once the user withdrew it elsewhere", async () => {
    noted = true;
    const microscope = open();
    storeWithAccount(microscope);
    await settle();
    coverageOf(microscope).setState({ views: [view(0)] });
    await vi.advanceTimersByTimeAsync(10_000);
    expect([sent(), noted]).toEqual([[], false]);
  });

  it("is stored when the user agrees, deleted when no longer, and says what failed", async () => {
    const microscope = open();
    coverageOf(microscope).setState({ views: [view(0)] });
    await setAgreed(microscope, true);
    expect([sent(), noted, agreement.getState().agreed]).toEqual([[1], true, true]);
    await setAgreed(microscope, false);
    expect([client.deleteStoredCoverage.mock.calls.length, noted]).toEqual([1, false]);
    client.storeCoverage.mockRejectedValueOnce(new Error("offline"));
    await setAgreed(microscope, true);
    expect([failures, noted]).toEqual([["Coverage was not stored"], false]);
  });

  it("is shared without the name once the user says so, too, and no longer with the consent (CV12)", async () => {
    const microscope = open();
    await setAgreed(microscope, true);
    await setShared(true);
    expect([client.shareCoverage.mock.calls, agreement.getState()]).toEqual([[[true]], { agreed: true, shared: true }]);
    await setAgreed(microscope, false);
    expect(agreement.getState()).toEqual({ agreed: false, shared: false });
  });

  it("stores a mark that the slide was reviewed (CV11)", async () => {
    client.storedSlides.mockResolvedValue(stored(true));
    const microscope = open();
    storeWithAccount(microscope);
    await settle();
    coverageOf(microscope).setState({ reviewed: 1_780_000_000 });
    await vi.advanceTimersByTimeAsync(3000);
    expect(client.storeCoverage.mock.lastCall![1]).toMatchObject({ reviewed: 1_780_000_000 });
  });
});
