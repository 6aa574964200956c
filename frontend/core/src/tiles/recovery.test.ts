import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Recovery } from "./recovery";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function world() {
  const [again, changed] = [vi.fn(), vi.fn()];
  return { again, changed, recovery: new Recovery(again, changed) };
}

describe("Recovery", () => {
  it("waits twice as long after each failure in a row, at most 8 seconds", () => {
    const { again, recovery } = world();
    for (const wait of [500, 1000, 2000, 4000, 8000, 8000]) {
      recovery.failed(true);
      expect(recovery.waiting).toBe(true);
      vi.advanceTimersByTime(wait - 1);
      expect(again).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(again).toHaveBeenCalledOnce();
      expect(recovery.waiting).toBe(false);
      again.mockClear();
    }
  });

  it("counts failures that come together as one", () => {
    const { again, changed, recovery } = world();
    for (let i = 0; i < 5; i += 1) recovery.failed(true);
    vi.advanceTimersByTime(10_000);
    expect(again).toHaveBeenCalledOnce();
    expect(changed).toHaveBeenCalledOnce();
  });

  it("reports that the service is offline, and that it answers again, each once", () => {
    const { changed, recovery } = world();
    recovery.succeeded();
    expect(changed).not.toHaveBeenCalled();
    recovery.failed(true);
    vi.advanceTimersByTime(500);
    recovery.succeeded();
    recovery.succeeded();
    expect(changed.mock.calls).toEqual([[true], [false]]);
  });

  it("does not call it offline where one request alone failed", () => {
    const { changed, recovery } = world();
    recovery.failed(false);
    expect(changed).not.toHaveBeenCalled();
  });

  it("begins with the shortest wait again after a success", () => {
    const { again, recovery } = world();
    recovery.failed(true);
    vi.advanceTimersByTime(500);
    recovery.succeeded();
    recovery.failed(true);
    vi.advanceTimersByTime(500);
    expect(again).toHaveBeenCalledTimes(2);
  });

  it("tries at once when the network is back, and only then if it waits", () => {
    const { again, recovery } = world();
    recovery.retryNow();
    expect(again).not.toHaveBeenCalled();
    recovery.failed(true);
    recovery.retryNow();
    vi.advanceTimersByTime(10_000);
    expect(again).toHaveBeenCalledOnce();
  });

  it("tries no more once it is closed", () => {
    const { again, recovery } = world();
    recovery.failed(true);
    recovery.close();
    vi.advanceTimersByTime(10_000);
    recovery.retryNow();
    expect(again).not.toHaveBeenCalled();
  });
});
