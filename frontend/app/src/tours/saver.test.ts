import { beforeEach, expect, it, vi } from "vitest";
import { OfflineError, ProblemError } from "@wavescope/core/wire/http/errors";
import type { StoredTour, Tour } from "@wavescope/core/wire/catalog/toursClient";
import { TourSaver } from "./saver";

const first: Tour = { title: "A", text: "", waypoints: [] };
const titled = (title: string) => (tour: Tour) => ({ ...tour, title });

/** A service that keeps one tour. */
class FakePersistence {
  stored: StoredTour = { id: "t", slideId: "s", caseId: null, revision: 1, tour: first };
  failure: Error | null = null;
  readonly saves: string[] = [];
  cached = vi.fn();
  drafted = vi.fn();

  readTour = () => Promise.resolve(this.stored);

  saveTour = (_id: string, tour: Tour, revision: number): Promise<StoredTour> => {
    if (this.failure) return Promise.reject(this.failure);
    if (revision !== this.stored.revision) return Promise.reject(new ProblemError("stale-revision", 412, "", ""));
    this.saves.push(tour.title);
    this.stored = { ...this.stored, tour, revision: revision + 1 };
    return Promise.resolve(this.stored);
  };
}

let persistence: FakePersistence;
let saver: TourSaver;
const state = () => saver.edited.getState().state;

beforeEach(() => {
  vi.useFakeTimers();
  persistence = new FakePersistence();
  saver = new TourSaver(persistence.stored, persistence);
});

it("saves once after a pause in typing, and then from the new revision", async () => {
  for (const title of ["B", "Be", "Bee"]) saver.change(titled(title));
  expect(state()).toBe("waiting");
  await vi.runAllTimersAsync();
  saver.change(titled("C"));
  await vi.runAllTimersAsync();
  expect([persistence.saves, state()]).toEqual([["Bee", "C"], "saved"]);
});

it("saves what was typed while it was saving", async () => {
  saver.change(titled("B"));
  const saving = saver.save();
  saver.change(titled("C"));
  await saving;
  await vi.runAllTimersAsync();
  expect(persistence.saves).toEqual(["B", "C"]);
});

it("overwrites nothing that was changed elsewhere, until theirs is taken", async () => {
  persistence.stored = { ...persistence.stored, revision: 2, tour: { ...first, title: "Theirs" } };
  saver.change(titled("Mine"));
  await vi.runAllTimersAsync();
  saver.change(titled("Mine too"));
  await vi.runAllTimersAsync();
  expect([state(), persistence.stored.tour.title, persistence.saves]).toEqual(["conflict", "Theirs", []]);
  await saver.loadStored();
  saver.change((tour) => ({ ...tour, text: "more" }));
  await vi.runAllTimersAsync();
  expect(persistence.stored.tour).toEqual({ ...first, title: "Theirs", text: "more" });
});

it("merges what was changed elsewhere in other fields, and saves both", async () => {
  persistence.stored = { ...persistence.stored, revision: 2, tour: { ...first, text: "Theirs" } };
  saver.change(titled("Mine"));
  await vi.runAllTimersAsync();
  expect([state(), persistence.stored.tour]).toEqual(["saved", { ...first, title: "Mine", text: "Theirs" }]);
  expect(saver.edited.getState().tour.text).toBe("Theirs");
});

it("tries again by itself when the service was away", async () => {
  persistence.failure = new OfflineError("away");
  saver.change(titled("B"));
  await vi.advanceTimersByTimeAsync(1000);
  expect(state()).toBe("failed");
  persistence.failure = null;
  await vi.runAllTimersAsync();
  expect([state(), persistence.saves]).toEqual(["saved", ["B"]]);
});
