import { expect, it, vi } from "vitest";
import { deferred, loadAhead } from "./deferred";

vi.mock("./laterStyles", () => ({}));
vi.mock("../appearance", () => ({})); // of parts that are fetched at once, one may get the sheets themselves

it("fetches a part once for all who need it, and says when it is here (PG3)", async () => {
  const fetchPart = vi.fn(() => Promise.resolve("part"));
  const part = deferred(fetchPart);
  const came = vi.fn();
  part.subscribe(came);
  expect(part.loaded()).toBe(null);
  expect(await Promise.all([part.load(), part.load()])).toEqual(["part", "part"]);
  expect([fetchPart.mock.calls.length, came.mock.calls.length, part.loaded()]).toEqual([1, 1, "part"]);
});

it("fetches a part again after it could not be fetched (PG4)", async () => {
  const fetchPart = vi.fn(() => Promise.resolve("part")).mockRejectedValueOnce(new TypeError("no network"));
  const part = deferred(fetchPart);
  await expect(part.load()).rejects.toThrow("no network");
  expect(await part.load()).toBe("part");
});

it("fetches ahead what comes by itself, and nothing else; a failure of one part does not matter to the others (PG3)", async () => {
  const [broken, ahead, later] = [
    deferred(() => Promise.reject(new TypeError("no network")), { ahead: true }),
    deferred(() => Promise.resolve("a"), { ahead: true }),
    deferred(() => Promise.resolve("b")),
  ];
  await loadAhead();
  expect([broken.loaded(), ahead.loaded(), later.loaded()]).toEqual([null, "a", null]);
});
