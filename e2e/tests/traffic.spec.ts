// What travels: a thumbnail, index pages, and each layer of each block at most once; never glass, never pixels.
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import {
  LOOKED_AT,
  address,
  counters,
  fitAll,
  idle,
  needs,
  openSlide,
  slideIsOpen,
  slideOf,
} from "../harness/microscope.ts";

test.use({ transport: "batch" }); // requests are counted

interface Wanted {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** The blocks in the answer with a slide's first view, as its head names them (WI138), and its bytes. */
async function firstView(url: string): Promise<{ wanted: Wanted[]; bytes: number }> {
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  const { blocks } = JSON.parse(bytes.subarray(12, 12 + bytes.readUInt32LE(8)).toString()) as { blocks: number[][] };
  const wanted = blocks.map((block) => ({ key: block.slice(0, 5).join("/"), from: block[5]!, to: block[6]! }));
  return { wanted, bytes: bytes.length };
}

/** Every block range and approximation layer that went over the wire, from the browser's own requests; `views`: addresses of first views. */
function listen(page: Page): { wanted: Wanted[]; paths: string[]; views: string[] } {
  const wanted: Wanted[] = [];
  const paths: string[] = [];
  const views: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!url.pathname.startsWith("/api/")) return;
    paths.push(url.pathname);
    if (url.pathname.endsWith("/first-view")) views.push(url.href);
    if (url.pathname.endsWith("/blocks:batch")) {
      const { blocks } = request.postDataJSON() as { blocks: number[][] };
      for (const block of blocks) wanted.push({ key: block.slice(0, 5).join("/"), from: block[5]!, to: block[6]! });
    }
    const single = /\/(?:blocks|approximation)\/([\d/]+)$/.exec(url.pathname);
    if (single) {
      const from = Number(url.searchParams.get("from") ?? 0);
      wanted.push({ key: single[1]!, from, to: Number(url.searchParams.get("to") ?? Infinity) });
    }
  });
  return { wanted, paths, views };
}

/** Lengths per block and layer of a level, read from the service's index pages. */
async function emptyBlocks(slide: string, z: number, level: number): Promise<Set<string>> {
  const manifest = (await (await fetch(`${address()}/api/v1/slides/${slide}`)).json()) as {
    readonly url: string;
    readonly sizes: readonly { readonly level: number; readonly tiles_x: number; readonly tiles_y: number }[];
  };
  const { tiles_x, tiles_y } = manifest.sizes.find((size) => size.level === level)!;
  const empty = new Set<string>();
  const pages = Math.ceil(tiles_x / 32) * Math.ceil(tiles_y / 32);
  for (let page = 0; page < pages; page++) {
    const bytes = new Uint8Array(
      await (await fetch(`${address()}${manifest.url}/layer-index/${z}/0/${level}/${page}`)).arrayBuffer(),
    );
    const [layers, columns, rows] = [bytes[5]!, bytes[6]!, bytes[7]!];
    let at = 8;
    const next = (): number => {
      let [value, shift] = [0, 0];
      for (;;) {
        const byte = bytes[at++]!;
        value += (byte & 127) * 2 ** shift;
        shift += 7;
        if (byte < 128) return value;
      }
    };
    const [left, top] = [(page % Math.ceil(tiles_x / 32)) * 32, Math.floor(page / Math.ceil(tiles_x / 32)) * 32];
    for (let block = 0; block < columns * rows; block++) {
      const lengths = Array.from({ length: layers }, next);
      if (lengths.every((length) => length === 0))
        empty.add(`${z}/0/${level}/${left + (block % columns)}/${top + Math.floor(block / columns)}`);
    }
  }
  return empty;
}

for (const slide of [...LOOKED_AT, "large"]) {
  test(`opening ${slide} and looking at three magnifications fetches nothing twice, nothing empty, no pixels`, async ({
    page,
  }) => {
    needs(slide);
    const { wanted, paths, views } = listen(page);
    await openSlide(page, slide);
    for (const view of views) wanted.push(...(await firstView(view)).wanted);
    const { width, height, top } = await slideOf(page);
    await fitAll(page);
    await idle(page);
    for (const level of [Math.max(1, top - 2), 0]) {
      await page.evaluate(
        ([x, y, n]) => window.__wavescope.viewport.goTo(x!, y!, n!),
        [Math.max(0, width / 2 - 960 * 2 ** level), Math.max(0, height / 2 - 540 * 2 ** level), level],
      );
      await idle(page);
    }
    const layers = wanted.flatMap(({ key, from, to }) =>
      Array.from({ length: to - from }, (_, i) => `${key} layer ${from + i}`),
    );
    expect(layers.length).toBeGreaterThan(10);
    expect(layers.filter((layer, i) => layers.indexOf(layer) !== i)).toEqual([]);
    const empty = new Set<string>();
    for (let level = 0; level < top; level++)
      for (const key of await emptyBlocks(slide, await plane(page), level)) empty.add(key);
    expect(wanted.filter(({ key }) => empty.has(key))).toEqual([]);
    expect(paths.filter((path) => path.includes("/tiles/") || path.includes("/region"))).toEqual([]);
    const own = await counters(page);
    expect(own.pixelTiles).toBe(0);
    const isBlock = ({ key }: Wanted): boolean => key.split("/").length === 5 && Number(key.split("/")[2]) < top;
    expect(own.blocks).toBe(wanted.filter(isBlock).length);
    expect(own.bytes).toBeLessThan(own.rawBytes / 3);
  });
}

const plane = async (page: Page): Promise<number> => page.evaluate(() => window.__wavescope.viewport.state().plane);

test("a new field is asked for in one batch for each layer stage", async ({ page }) => {
  await openSlide(page, "large");
  const { wanted, paths } = listen(page);
  await page.evaluate(() => window.__wavescope.viewport.goTo(3000, 2500, 0));
  await idle(page);
  const batches = paths.filter((path) => path.endsWith("/blocks:batch")).length;
  expect(wanted.length).toBeGreaterThan(12);
  expect(batches).toBeLessThanOrEqual(3);
});

test("the first view comes in parts that wait for nothing, and no block of it comes twice (WI138, WI144)", async ({
  page,
}) => {
  const slide = "CMU-1-Small-Region"; // of one plane: no other is fetched ahead
  needs(slide);
  const { wanted, paths, views } = listen(page);
  await openSlide(page, slide);
  const { batches, bytes } = await counters(page);
  const count = Number(new URL(views[0]!).searchParams.get("parts"));
  expect(paths.filter((path) => /first-view|blocks|approximation|layer-index/.test(path))).toEqual(
    Array<string>(count).fill(`/api/v1/slides/${slide}/first-view`),
  );
  const parts = await Promise.all(views.map(firstView));
  const keys = parts.flatMap((part) => part.wanted.map(({ key, from }) => `${key} ${from}`));
  expect(keys.length).toBeGreaterThan(10);
  expect(new Set(keys).size).toBe(keys.length);
  expect([wanted, batches, bytes]).toEqual([[], 0, parts.reduce((sum, part) => sum + part.bytes, 0)]);
});

/** How many answers of slides the browser has stored. */
const storedBodies = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const [name] = (await indexedDB.databases())
      .map((one) => one.name)
      .filter((one) => one?.startsWith("wavescope-slides-"));
    if (name === undefined) return 0;
    return new Promise<number>((done) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => {
        const count = opening.result.transaction("bodies").objectStore("bodies").count();
        count.onsuccess = () => {
          opening.result.close();
          done(count.result);
        };
      };
    });
  });

test("a slide of which blocks are stored is opened without that answer (PG20)", async ({ page }) => {
  await openSlide(page, "large");
  await idle(page);
  let before = 0;
  const all = async (): Promise<boolean> => {
    const [count, last] = [await storedBodies(page), before];
    before = count;
    return count > 10 && count === last;
  };
  await expect.poll(all, { intervals: [600] }).toBe(true); // answers are collected for 400 ms before they are written
  const { paths } = listen(page);
  await page.reload();
  await slideIsOpen(page);
  expect(paths.filter((path) => /first-view|blocks:batch/.test(path))).toEqual([]);
});
