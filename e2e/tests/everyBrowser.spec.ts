// The smoke set of every browser (`npm run e2e:browsers`): open, zoom, pixels bit for bit, annotate, a live session. Chromium runs it
// as well, so that what fails elsewhere is known to be the browser's or the page's, not the test's.
import { createHash } from "node:crypto";
import { test as base, expect } from "@playwright/test"; // not that of harness/test.ts, which opens Playwright's own browser
import { PNG } from "pngjs";
import { clear, storedAnnotations } from "../harness/annotating.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { type Engine, type EngineName, type Screen, type Tab, missingOf } from "../harness/engines/engine.ts";
import { press, pressAt, sees, until, write } from "../harness/engines/gestures.ts";
import { startChromium, startFirefox } from "../harness/engines/puppeteer.ts";
import { startWebkit } from "../harness/engines/webkit.ts";
import { TILE, address, slideIsKnown } from "../harness/microscope.ts";
import { type Seen, apart } from "../harness/session.ts";

const LAPTOP: Screen = { width: 1366, height: 768 };
const SMALL: Screen = { width: 1024, height: 768 };
const BUTTON = "button";

const START: Record<EngineName, () => Promise<Engine>> = {
  chromium: () => startChromium(["--no-sandbox", "--disable-gpu", "--no-first-run"]),
  firefox: startFirefox,
  webkit: startWebkit,
};

/** `browserOf` comes from the project (playwright.config.ts); the browser lives as long as the worker. */
const test = base.extend<{ person: (screen?: Screen) => Promise<Tab> }, { browserOf: EngineName; engine: Engine }>({
  browserOf: ["chromium", { option: true, scope: "worker" }],
  engine: [
    async ({ browserOf }, use) => {
      const engine = await START[browserOf]();
      await use(engine);
      await engine.close();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  person: async ({ engine }, use, info) => {
    const present: Tab[] = [];
    await use(async (screen = LAPTOP) => {
      const tab = await engine.person(screen);
      present.push(tab);
      return tab;
    });
    for (const [i, tab] of present.entries()) await tab.screenshot(info.outputPath(`${i}.png`));
    expect(present.flatMap((tab) => tab.faults())).toEqual([]);
  },
});

test.beforeEach(({ browserOf }) => {
  const missing = missingOf(browserOf);
  test.skip(missing !== null, missing ?? "");
});

const view = (tab: Tab): Promise<Seen & { scale: number; level: number }> =>
  tab.evaluate(() => window.__wavescope.viewport.state());

/** Waits until a slide is open and all of its picture is there; answers its fidelity. */
async function exact(tab: Tab): Promise<void> {
  await until(tab, "a slide is open", slideIsKnown);
  const fidelity = await tab.evaluate(async () => {
    await window.__wavescope.idle();
    await window.__wavescope.complete();
    return window.__wavescope.fidelity();
  });
  expect(fidelity).toBe("exact");
}

async function openSlide(tab: Tab, slide: string): Promise<void> {
  await tab.goto(`${address()}/slides/${slide}`);
  await exact(tab);
}

/** A place of the viewer on the screen: the middle, or a level-0 point. */
const middleOf = (tab: Tab): Promise<{ x: number; y: number }> =>
  tab.evaluate(() => {
    const { x, y, width, height } = document.querySelector("[data-testid=viewer]")!.getBoundingClientRect();
    return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  });
const onScreen = (tab: Tab, l0_x: number, l0_y: number): Promise<{ x: number; y: number }> =>
  tab.evaluate(
    (px, py) => {
      const viewer = document.querySelector("[data-testid=viewer]")!.getBoundingClientRect();
      const at = window.__wavescope.annotations.inViewer(px, py);
      return { x: Math.round(viewer.x + at.x), y: Math.round(viewer.y + at.y) };
    },
    l0_x,
    l0_y,
  );

/** Presses the mouse at the first place and releases it at the last. */
async function drag(tab: Tab, places: readonly { x: number; y: number }[]): Promise<void> {
  await tab.move(places[0]!.x, places[0]!.y);
  await tab.down();
  for (const { x, y } of places.slice(1)) await tab.move(x, y);
  await tab.up();
}

test("a slide opens from the gallery, with its thumbnail, and becomes exact (PG41)", async ({ person }) => {
  const tab = await person();
  await tab.goto(address());
  const card = `[data-testid=slide-card][data-slide-id="${SLIDES.specimen}"]`;
  const loaded = (selector: string) => document.querySelector<HTMLImageElement>(selector)!.naturalWidth > 100;
  await until(tab, "the thumbnail", loaded, `${card} img`);
  await press(tab, `${card} a`);
  await exact(tab);
  expect(await tab.evaluate(() => location.pathname)).toBe(`/slides/${SLIDES.specimen}`);
  expect((await view(tab)).l0_width).toBeGreaterThan(2870);
  expect(await tab.evaluate(() => document.querySelector("[data-testid=scale-bar]")!.textContent)).toMatch(/µm|mm/);
});

test("the wheel zooms to level 0 about the pointer, a button goes to 1:1, dragging and keys move (PG41)", async ({
  person,
}) => {
  const tab = await person();
  await openSlide(tab, SLIDES.large);
  const { x, y } = await middleOf(tab);
  for (let turns = 0; (await view(tab)).level > 0 && turns < 20; turns++) {
    const { scale } = await view(tab);
    await tab.wheel(x, y, -240);
    await until(tab, "larger", (before: number) => window.__wavescope.viewport.state().scale > before * 1.05, scale);
    await exact(tab);
  }
  expect((await view(tab)).level).toBe(0);
  await press(tab, BUTTON, "Full resolution, 1:1");
  await until(tab, "1:1", () => Math.abs(window.__wavescope.viewport.state().scale - 1) < 1e-6);
  await exact(tab);
  const before = await view(tab);
  await drag(tab, [
    { x, y },
    { x: x - 70, y: y - 40 },
    { x: x - 150, y: y - 90 },
  ]);
  await until(tab, "dragged", (left: number) => window.__wavescope.viewport.state().l0_x > left + 100, before.l0_x);
  await exact(tab);
  await tab.press("-");
  await until(tab, "smaller by key", () => window.__wavescope.viewport.state().scale < 0.95);
  await exact(tab);
});

test("the focal plane follows the slider, its upper end is the topmost (PG41)", async ({ person }) => {
  const tab = await person();
  await openSlide(tab, SLIDES.specimen);
  const { x, top, bottom } = await tab.evaluate(() => {
    const slider = document.querySelector("[data-testid=focus-slider]")!.getBoundingClientRect();
    return { x: Math.round(slider.x + slider.width / 2), top: slider.top, bottom: slider.bottom };
  });
  for (const [y, plane] of [
    [Math.round(top) + 10, 2],
    [Math.round(bottom) - 10, 0],
  ] as const) {
    await pressAt(tab, x, y);
    await until(tab, `plane ${plane}`, (z: number) => window.__wavescope.viewport.state().plane === z, plane);
    await exact(tab);
    expect(await tab.evaluate((z) => window.__wavescope.tileState().every((tile) => tile.plane === z), plane)).toBe(
      true,
    );
  }
  await tab.evaluate(() => document.querySelector<HTMLElement>("[data-testid=focus-slider]")!.focus());
  for (const [key, plane] of [
    ["ArrowUp", 1],
    ["ArrowRight", 2],
    ["ArrowDown", 1],
    ["ArrowLeft", 0],
  ] as const) {
    await tab.press(key);
    await until(tab, `${key}: plane ${plane}`, (z: number) => window.__wavescope.viewport.state().plane === z, plane);
  }
  await exact(tab);
});

/** Of a picture without its alpha, which must be 255. */
function hashOf(rgba: Uint8Array): string {
  expect(rgba.every((value, i) => i % 4 !== 3 || value === 255)).toBe(true);
  return createHash("sha256").update(rgba).digest("hex");
}

async function served(path: string): Promise<string> {
  const answer = await fetch(address() + path);
  return hashOf(PNG.sync.read(Buffer.from(await answer.arrayBuffer())).data);
}

/** Pixels as they leave a page: JSON has no bytes. */
const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, "base64");

/** A tile at 1:1, as the canvas shows it and as a worker makes it: RGBA in base64. Runs in the page. */
async function drawnAndDecoded(level: number, x: number, y: number, width: number, height: number, side: number) {
  const { viewport, idle, readCanvas, decodePixels, slide } = window.__wavescope;
  const base64 = (rgba: Uint8ClampedArray): string => {
    let text = "";
    for (let i = 0; i < rgba.length; i += 8192) text += String.fromCharCode(...rgba.subarray(i, i + 8192));
    return btoa(text);
  };
  const { ln_x, ln_y } = await viewport.goTo(side * x * 2 ** level, side * y * 2 ** level, level);
  await idle();
  const drawn = base64(readCanvas(side * x - ln_x, side * y - ln_y, width, height).rgba);
  const { plane } = viewport.state();
  const decoded = base64((await decodePixels({ z: plane, level, x, y }, slide().layers)).rgba);
  return { plane, drawn, decoded };
}

interface Size {
  readonly level: number;
  readonly width: number;
  readonly height: number;
  readonly tiles_x: number;
  readonly tiles_y: number;
}

/** The first, a middle and the last tile of each level. */
function someTiles(sizes: readonly Size[]) {
  const valid = (size: number, at: number): number => Math.min(TILE, size - TILE * at);
  return sizes.flatMap(({ level, width, height, tiles_x, tiles_y }) => {
    const middle = `${tiles_x >> 1} ${tiles_y >> 1}`;
    const places = new Set(["0 0", middle, `${tiles_x - 1} ${tiles_y - 1}`]);
    return [...places].map((place) => {
      const [x, y] = place.split(" ").map(Number) as [number, number];
      return { level, x, y, width: valid(width, x), height: valid(height, y) };
    });
  });
}

for (const slide of [SLIDES.specimen, SLIDES.lossless]) {
  test(`tiles of each level of ${slide} are drawn, decoded and served as the same pixels (PG40)`, async ({
    person,
  }) => {
    const tab = await person(SMALL);
    await openSlide(tab, slide);
    const manifest = (await (await fetch(`${address()}/api/v1/slides/${slide}`)).json()) as {
      url: string;
      sizes: Size[];
    };
    for (const { level, x, y, width, height } of someTiles(manifest.sizes)) {
      const made = await tab.evaluate(drawnAndDecoded, level, x, y, width, height, TILE);
      const wanted = await served(`${manifest.url}/tiles/${made.plane}/${level}/${x}/${y}.png`);
      const name = `${level}/${x}/${y}`;
      expect(hashOf(bytesOf(made.decoded)), `${name} decoded`).toBe(wanted);
      expect(hashOf(bytesOf(made.drawn)), `${name} drawn`).toBe(wanted);
    }
    const region = await tab.evaluate(drawnAndDecoded, 0, 1, 1, 600, 500, TILE);
    const place = `x=${TILE}&y=${TILE}&width=600&height=500&level=0&z=${region.plane}&format=png`;
    expect(hashOf(bytesOf(region.drawn)), "region").toBe(await served(`${manifest.url}/region?${place}`));
  });
}

const kinds = () => window.__wavescope.annotations.list().map(({ kind }) => kind);
const settled = () => window.__wavescope.annotations.state().settled;

test("annotations are drawn by mouse, undone by key, saved, and there again after a reload (PG41)", async ({
  person,
}) => {
  await clear(address(), SLIDES.specimen);
  const tab = await person();
  await openSlide(tab, SLIDES.specimen);
  await press(tab, BUTTON, "Annotations");
  await sees(tab, "[data-testid=annotation-save][data-save=saved]");
  await tab.evaluate(() => window.__wavescope.viewport.fit(200, 200, 1600, 900));
  await exact(tab);
  const corners = [await onScreen(tab, 800, 300), await onScreen(tab, 900, 400), await onScreen(tab, 1000, 450)];
  for (const tool of ["Rectangle", "Ellipse"]) {
    await press(tab, "[data-testid=annotation-tools] button", tool);
    await drag(tab, corners);
    await sees(tab, "[data-testid=annotation-editor]");
    await tab.press("Escape");
  }
  await until(tab, "two annotations", () => window.__wavescope.annotations.list().length === 2);
  await tab.press("Control", "z");
  await until(tab, "one annotation", () => window.__wavescope.annotations.list().length === 1);
  await press(tab, "[data-testid=annotation-tools] button", "Text");
  const { x, y } = await onScreen(tab, 1200, 700);
  await pressAt(tab, x, y);
  await until(
    tab,
    "the text's field",
    () => document.activeElement instanceof HTMLInputElement || document.activeElement instanceof HTMLTextAreaElement,
  );
  await tab.type("look here");
  await tab.evaluate(() => document.querySelector<HTMLElement>("[data-testid=viewer]")!.focus());
  await sees(tab, "[data-testid=annotation-save][data-save=saved]");
  await until(tab, "settled", settled);
  const stored = (await storedAnnotations(address(), SLIDES.specimen)).filter(({ deleted }) => !deleted);
  expect(stored.map(({ content }) => content!.kind).sort()).toEqual(["rectangle", "text"]);
  expect(stored.find(({ content }) => content!.kind === "text")!.content!.text).toBe("look here");
  await tab.goto(`${address()}/slides/${SLIDES.specimen}`);
  await exact(tab);
  await until(tab, "two annotations", () => window.__wavescope.annotations.list().length === 2);
  expect((await tab.evaluate(kinds)).sort()).toEqual(["rectangle", "text"]);
  await tab.evaluate(() => window.__wavescope.viewport.fit(200, 200, 1600, 900));
  await exact(tab);
  await until(tab, "settled", settled);
  const ink = await tab.evaluate(() => {
    const drawn = window.__wavescope.annotations.list().find(({ kind }) => kind === "rectangle")!.parts[0]!;
    const at = window.__wavescope.annotations.inViewer(drawn[0]!, (drawn[1]! + drawn[5]!) / 2);
    return window.__wavescope.annotations.readPixel(Math.floor(at.x), Math.floor(at.y))[3]!;
  });
  expect(ink).toBeGreaterThan(100);
});

test("a live session of two: the follower sees the presenter's view, pointer and annotations (PG41)", async ({
  person,
}) => {
  await clear(address(), SLIDES.lossless);
  const [ada, ben] = [await person(), await person(SMALL)];
  await openSlide(ada, SLIDES.lossless);
  await press(ada, BUTTON, "Start live session");
  await write(ada, "Your name", "Ada");
  await press(ada, "[role=dialog] button", "Start");
  const code = await until(ada, "code", () => document.querySelector("[data-testid=session-code]")?.textContent);
  await ada.press("Escape");
  await until(ada, "no dialog", () => document.querySelector("[role=dialog]") === null);
  await sees(ada, "[data-testid=session-status][data-kind=presenting]");
  await ben.goto(`${address()}/join/${code}`);
  await write(ben, "Your name", "Ben");
  await press(ben, BUTTON, "Join");
  await exact(ben);
  await sees(ben, "[data-testid=session-status][data-kind=following]");

  await ada.evaluate(() => window.__wavescope.viewport.show({ l0_x: 700, l0_y: 600, scale: 2, rotation: 33 }, true));
  await exact(ada);
  await expect.poll(async () => apart(await view(ada), await view(ben)), { message: "pixels apart" }).toBeLessThan(1);
  expect((await view(ben)).rotation).toBe(33);
  await exact(ben);
  const at = await onScreen(ada, 720, 620);
  await ada.move(at.x - 5, at.y);
  await ada.move(at.x, at.y);
  await until(ben, "pointer", () => document.querySelector("[data-testid=session-pointers]")?.textContent === "Ada");

  await ben.press("q");
  const [from, to] = [await onScreen(ben, 690, 590), await onScreen(ben, 720, 630)];
  await drag(ben, [from, { x: (from.x + to.x) >> 1, y: (from.y + to.y) >> 1 }, to]);
  await until(ada, "the rectangle", () => window.__wavescope.annotations.list()[0]?.kind === "rectangle");
  await sees(ben, "[data-testid=session-status][data-kind=following]");
});
