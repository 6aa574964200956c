import { expect, it } from "vitest";
import { History } from "./trafficHistory";

const bytes = (history: History, now: number): number[] => history.read(now).map((second) => second.bytes);

it("sums each second and keeps the last ones, quiet ones as zeros", () => {
  const history = new History(4);
  history.add(10_000, { bytes: 5 });
  history.add(10_999, { bytes: 2, entered: 3, cached: 1 });
  history.add(12_000, { bytes: 1 });
  expect(bytes(history, 12_500)).toEqual([0, 7, 0, 1]);
  expect(history.read(12_500)[1]).toEqual({ bytes: 7, entered: 3, cached: 1 });
  expect(bytes(history, 14_000)).toEqual([0, 1, 0, 0]);
  expect(bytes(history, 99_000)).toEqual([0, 0, 0, 0]);
});

it("takes a first moment of any height and a clock that stands", () => {
  const history = new History(3);
  history.add(5_000_000, { bytes: 1 });
  history.add(5_000_000, { bytes: 1 });
  expect(bytes(history, 5_000_000)).toEqual([0, 0, 2]);
});
