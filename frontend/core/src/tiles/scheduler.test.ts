import { describe, expect, it } from "vitest";
import { type Address, keyOf } from "../geometry/pyramid";
import type { Availability } from "./pictures";
import {
  MAX_FAILURES,
  type SchedulerState,
  type View,
  decide,
  isNeeded,
  isSettled,
  isShown,
  ordered,
  rankOf,
  schedule,
  scheduleStandIns,
} from "./scheduler";
import { type Job, type TileRecord, type TileRef, tileKey } from "./tileRecord";
import { a } from "./testing";

const TOP = 3;
const STORED = 2;
const field = [a(0, 0, 1, 1), a(0, 0, 2, 1)];
const resting: View = { z: 0, level: 0, tiles: field, moving: false };

const keyed = (tiles: readonly TileRef[]): Map<string, TileRef> =>
  new Map(tiles.map((tile) => [tileKey(tile.level, tile.x, tile.y), tile]));

function record(change: Partial<TileRecord> = {}): TileRecord {
  return { picture: null, damage: null, job: null, failures: 0, failure: null, ...change };
}

function stateWith(change: Partial<SchedulerState> = {}): SchedulerState {
  return { top: TOP, limit: STORED, tiles: new Map(), visible: new Map(), standIns: new Map(), ...change };
}

function job(tile: TileRef, layers: number, change: Partial<Job> = {}): Job {
  const { level, x, y } = tile;
  return { key: tileKey(level, x, y), level, x, y, z: 0, layers, order: 0, ...change };
}

/** So many layers are available of the tiles named, none of the others. */
function available(layers: number, tiles: readonly Address[], attainable = STORED, reason: string | null = null) {
  const named = new Set(tiles.map(keyOf));
  return (tile: Address): Availability =>
    named.has(keyOf(tile)) ? { layers, attainable, reason } : { layers: 0, attainable: STORED, reason: null };
}

const everything = (layers: number) => (): Availability => ({ layers, attainable: STORED, reason: null });

const jobsOf = (state: SchedulerState, view: View, availability: (tile: Address) => Availability): string[] =>
  schedule(state, ordered(view), availability).decisions.flatMap(({ job: one }) =>
    one ? [`${one.z}/${one.key}@${one.layers}`] : [],
  );

describe("schedule", () => {
  it("orders the field from the centre outward, then what else is visible, then the top tile", () => {
    const visible = keyed([field[0]!, { level: 1, x: 0, y: 0 }]);
    expect(jobsOf(stateWith({ visible }), resting, everything(1))).toEqual([
      "0/0/1/1@1",
      "0/0/2/1@1",
      "0/1/0/0@1",
      "0/3/0/0@1",
    ]);
  });

  it("decides about the top tile once where it is the field itself", () => {
    const view = { ...resting, level: TOP, tiles: [a(0, TOP, 0, 0)] };
    const visible = keyed([{ level: TOP, x: 0, y: 0 }]);
    expect(jobsOf(stateWith({ visible }), view, everything(2))).toEqual(["0/3/0/0@2"]);
  });

  it("makes nothing of which no layer is there", () => {
    expect(jobsOf(stateWith(), resting, everything(0))).toEqual([]);
    expect(jobsOf(stateWith(), resting, available(1, [field[1]!]))).toEqual(["0/0/2/1@1"]);
  });

  it("makes pictures of the plane in view, whatever plane is drawn", () => {
    const tiles = new Map([[tileKey(0, 1, 1), record({ picture: { z: 1, layers: 2 } })]]);
    expect(jobsOf(stateWith({ tiles }), { ...resting, tiles: [field[0]!] }, available(1, field))).toEqual([
      "0/0/1/1@1",
    ]);
  });

  it("chooses as stand-in the finest ancestor of a damaged tile of which there is a layer", () => {
    const availability = (tile: Address): Availability =>
      tile.level === 0
        ? { layers: 0, attainable: 0, reason: "cut short" }
        : { layers: tile.level === 1 ? 0 : 1, attainable: 2, reason: null };
    const { standIns, decisions } = schedule(stateWith(), ordered(resting), availability);
    expect([...standIns.keys()]).toEqual(["2/0/0"]);
    expect(decisions.map(({ damage }) => damage)).toEqual(["cut short", "cut short", null, null]);
    expect(decisions.at(-1)?.job).toMatchObject({ level: 2, layers: 1 });
  });

  it("needs no stand-in for a damaged tile that has a picture of this plane", () => {
    const tiles = new Map([[tileKey(0, 1, 1), record({ picture: { z: 0, layers: 1 } })]]);
    const view = { ...resting, tiles: [field[0]!] };
    const availability = (tile: Address): Availability =>
      tile.level === 0
        ? { layers: 1, attainable: 1, reason: "a flipped bit" }
        : { layers: 1, attainable: 2, reason: null };
    expect(schedule(stateWith({ tiles }), ordered(view), availability).standIns.size).toBe(0);
  });
});

describe("scheduleStandIns", () => {
  it("decides about the stand-ins alone, for the damage that is marked", () => {
    const tiles = new Map([
      [tileKey(0, 1, 1), record({ damage: "the worker died", failures: MAX_FAILURES })],
      [tileKey(0, 2, 1), record()],
    ]);
    const { standIns, decisions } = scheduleStandIns(stateWith({ tiles }), ordered(resting), everything(1));
    expect([...standIns.keys()]).toEqual(["1/0/0"]);
    expect(decisions.map(({ job: one }) => one?.key)).toEqual(["1/0/0"]);
  });
});

describe("decide", () => {
  const tile = field[0]!;
  const key = tileKey(0, 1, 1);
  const layersMade = (own: TileRecord, layers: number, limit = STORED, view = resting): number | null =>
    decide(stateWith({ tiles: new Map([[key, own]]), limit }), ordered(view), tile, everything(layers)).job?.layers ??
    null;

  it.each<[string, Partial<TileRecord>, number, number | null]>([
    ["a new tile: the first picture", {}, 1, 1],
    ["a new tile of which all is there: the best picture at once", {}, 2, 2],
    ["nothing new since the picture drawn", { picture: { z: 0, layers: 1 } }, 1, null],
    ["one layer more than the picture drawn", { picture: { z: 0, layers: 1 } }, 2, 2],
    ["the best picture is drawn", { picture: { z: 0, layers: 2 } }, 2, null],
    ["the same job is on its way", { job: job(tile, 1) }, 1, null],
    ["a first picture is on its way and all layers came", { job: job(tile, 1) }, 2, 2],
    ["a job of another plane is on its way", { job: job(tile, 1, { z: 1 }) }, 1, 1],
    ["the former plane's picture is drawn", { picture: { z: 1, layers: 2 } }, 1, 1],
    ["it failed before", { failures: MAX_FAILURES, failure: "died" }, 1, 1],
  ])("%s", (_, own, layers, made) => {
    expect(layersMade(record(own), layers)).toBe(made);
  });

  it("waits for the first picture where layers between it and the limit come", () => {
    expect(layersMade(record({ job: job(tile, 1) }), 2, 3)).toBeNull();
    expect(layersMade(record({ job: job(tile, 1) }), 3, 3)).toBe(3);
  });

  it("makes a picture of fewer layers where the limit is lower than what is drawn", () => {
    expect(layersMade(record({ picture: { z: 0, layers: 2 } }), 2, 1)).toBe(1);
    expect(layersMade(record({ job: job(tile, 2) }), 2, 1)).toBe(1);
  });

  it("improves no picture outside the field", () => {
    const elsewhere = { ...resting, tiles: [field[1]!] };
    expect(layersMade(record({ picture: { z: 0, layers: 1 } }), 2, STORED, elsewhere)).toBeNull();
    expect(layersMade(record(), 2, STORED, elsewhere)).toBe(2);
  });

  it.each<[string, Availability, Partial<TileRecord>, number, string | null]>([
    ["all can be had", { layers: 1, attainable: 2, reason: null }, {}, 2, null],
    ["a layer below the limit cannot", { layers: 1, attainable: 1, reason: "bad" }, {}, 2, "bad"],
    ["a layer above the limit cannot", { layers: 1, attainable: 1, reason: "bad" }, {}, 1, null],
    ["it failed twice", { layers: 1, attainable: 2, reason: null }, { failures: 2, failure: "died" }, 2, null],
    ["it failed three times", { layers: 1, attainable: 2, reason: null }, { failures: 3, failure: "died" }, 2, "died"],
    ["both", { layers: 0, attainable: 0, reason: "bad" }, { failures: 3, failure: "died" }, 2, "bad"],
  ])("names the damage: %s", (_, availability, own, limit, damage) => {
    const state = stateWith({ tiles: new Map([[key, record(own)]]), limit });
    expect(decide(state, ordered(resting), tile, () => availability).damage).toBe(damage);
  });
});

describe("rankOf", () => {
  const ranked = (view: View, jobs: readonly Job[], change: Partial<SchedulerState> = {}, drawn: string[] = []) => {
    const tiles = new Map(
      jobs.map((one) => {
        const picture = drawn.includes(one.key) ? { z: one.z, layers: 1 } : null;
        return [one.key, record({ job: one, picture })];
      }),
    );
    const state = stateWith({ tiles, ...change });
    return jobs.map((one) => rankOf(state, ordered(view), one));
  };

  it("puts first pictures before better ones, coarse before fine, centre before edge", () => {
    const tiles = [a(0, 0, 0, 0), a(0, 0, 1, 0)];
    const view = { ...resting, tiles };
    const jobs = [
      job({ level: TOP, x: 0, y: 0 }, 1),
      job({ level: 1, x: 0, y: 0 }, 1),
      job(tiles[0]!, 1),
      job(tiles[1]!, 1),
    ];
    const ranks = ranked(view, jobs, { visible: keyed([{ level: 1, x: 0, y: 0 }]) });
    expect(ranks).toEqual([...ranks].sort((one, other) => one! - other!));
    expect(new Set(ranks).size).toBe(ranks.length);
    const better = ranked(view, [job(tiles[0]!, 2), job(tiles[1]!, 1)], {}, [tileKey(0, 0, 0)]);
    expect(better[0]).toBeGreaterThan(better[1]!);
  });

  it("is null for what is no longer wanted: another plane, another job, out of sight", () => {
    const own = job(field[0]!, 1);
    const tiles = new Map([[own.key, record({ job: own })]]);
    const rank = (view: View, one: Job, change: Partial<SchedulerState> = {}): number | null =>
      rankOf(stateWith({ tiles, ...change }), ordered(view), one);
    const elsewhere = { ...resting, tiles: [a(0, 0, 7, 7)] };
    expect(rank(resting, own)).not.toBeNull();
    expect(rank({ ...resting, z: 1 }, own)).toBeNull();
    expect(rank(resting, { ...own })).toBeNull();
    expect(rank(elsewhere, own)).toBeNull();
    expect(rank(elsewhere, own, { visible: keyed([field[0]!]) })).not.toBeNull();
    expect(rank(elsewhere, own, { standIns: keyed([field[0]!]) })).not.toBeNull();
  });
});

describe("isShown", () => {
  const tile = field[0]!;
  it.each<[string, Partial<TileRecord>, Partial<Job>, number, boolean]>([
    ["a first picture while a better one is being made", { job: job(tile, 2) }, {}, STORED, true],
    ["nothing is being made any more", {}, {}, STORED, false],
    ["a picture of this plane is drawn", { job: job(tile, 2), picture: { z: 0, layers: 1 } }, {}, STORED, false],
    ["a picture of another plane is drawn", { job: job(tile, 2), picture: { z: 1, layers: 2 } }, {}, STORED, true],
    ["it is of another plane", { job: job(tile, 2) }, { z: 1 }, STORED, false],
    ["it has more layers than are drawn now", { job: job(tile, 1) }, { layers: 2 }, 1, false],
  ])("of a superseded job: %s", (_, own, change, limit, shown) => {
    const state = stateWith({ tiles: new Map([[tileKey(0, 1, 1), record(own)]]), limit });
    expect(isShown(state, ordered(resting), job(tile, 1, change))).toBe(shown);
  });

  it("holds for the job that is wanted, and never for a tile that is not there any more", () => {
    const own = job(tile, 1);
    expect(isShown(stateWith({ tiles: new Map([[own.key, record({ job: own })]]) }), ordered(resting), own)).toBe(true);
    expect(isShown(stateWith(), ordered(resting), own)).toBe(false);
  });
});

describe("isSettled", () => {
  const tile = field[0]!;
  const view = { ...resting, tiles: [tile] };
  const settled = (own: Partial<TileRecord>, availability: Availability, one: View = view): boolean =>
    isSettled(stateWith({ tiles: new Map([[tileKey(0, 1, 1), record(own)]]) }), ordered(one), () => availability);
  const all: Availability = { layers: 2, attainable: 2, reason: null };
  const best = { picture: { z: 0, layers: 2 } };

  it("holds when the view rests and every tile has all layers that are drawn", () => {
    expect(settled(best, all)).toBe(true);
    expect(settled(best, all, { ...view, moving: true })).toBe(false);
    expect(settled(best, all, { ...view, tiles: [] })).toBe(false);
    expect(settled(best, all, { ...view, z: 1 })).toBe(false);
    expect(settled({ picture: { z: 0, layers: 1 } }, all)).toBe(false);
  });

  it.each<[string, Partial<TileRecord>, Availability, boolean]>([
    ["nothing of it can be had", { damage: "bad" }, { layers: 0, attainable: 0, reason: "bad" }, true],
    ["a layer of it is still to be made", { damage: "bad" }, { layers: 1, attainable: 1, reason: "bad" }, false],
    [
      "the layer that can be had is drawn",
      { damage: "bad", picture: { z: 0, layers: 1 } },
      { layers: 1, attainable: 1, reason: "bad" },
      true,
    ],
    ["it is being made", { damage: "bad", job: job(tile, 1) }, { layers: 0, attainable: 0, reason: "bad" }, false],
    ["it failed too often", { damage: "died", failures: MAX_FAILURES }, all, true],
  ])("of a damaged tile: %s", (_, own, availability, expected) => {
    expect(settled(own, availability)).toBe(expected);
  });

  it("waits for the stand-ins", () => {
    const standIns = keyed([{ level: 1, x: 0, y: 0 }]);
    const with_ = (own: Partial<TileRecord>): boolean => {
      const tiles = new Map([
        [tileKey(0, 1, 1), record(best)],
        [tileKey(1, 0, 0), record(own)],
      ]);
      return isSettled(stateWith({ tiles, standIns }), ordered(view), () => all);
    };
    expect(with_({})).toBe(false);
    expect(with_({ picture: { z: 0, layers: 1 } })).toBe(true);
    expect(with_({ damage: "bad" })).toBe(true);
  });
});

it("needs the field, what is visible, the stand-ins and the top tile, and nothing else", () => {
  const state = stateWith({
    visible: keyed([{ level: 1, x: 4, y: 4 }]),
    standIns: keyed([{ level: 2, x: 0, y: 0 }]),
  });
  const needed = ["0/1/1", "0/2/1", "1/4/4", "2/0/0", "3/0/0", "0/9/9", "1/0/0"].filter((key) =>
    isNeeded(state, ordered(resting), key),
  );
  expect(needed).toEqual(["0/1/1", "0/2/1", "1/4/4", "2/0/0", "3/0/0"]);
});
