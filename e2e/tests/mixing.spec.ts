// Channels mixed by WebGL, by the processor, and by the rule: the same picture. And many channels at once, in bounded memory.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { pretendGraphicsCard } from "../harness/annotating.ts";
import { openSlide } from "../harness/microscope.ts";
import { bundled } from "../harness/modules.ts";
import { ROOT, Service, removeFolder, temporaryFolder, wavescope } from "../harness/service.ts";
import { expect, test } from "../harness/test.ts";

type Mixing = typeof import("../../frontend/core/src/codec/mixKernel.ts") &
  typeof import("../../frontend/core/src/tiles/channels/canvasMixer.ts") &
  typeof import("../../frontend/core/src/tiles/channels/mix.ts") &
  typeof import("../../frontend/core/src/tiles/channels/sums.ts") &
  typeof import("../../frontend/viewer/src/core/channels/webglMixer.ts");

declare global {
  interface Window {
    modules: Mixing;
    kernel: import("../../frontend/core/src/codec/mixKernel.ts").MixKernel;
  }
}

interface Case {
  readonly bits?: number;
  readonly signed?: boolean;
  readonly mix: Parameters<Mixing["mixed"]>[1];
  readonly samples: readonly (readonly number[])[];
  readonly picture: readonly (readonly number[])[];
}

const MIXERS = ["webgl", "canvas"] as const;
const MODULES = [
  "core/src/codec/mixKernel.ts",
  "core/src/tiles/channels/canvasMixer.ts",
  "core/src/tiles/channels/mix.ts",
  "core/src/tiles/channels/sums.ts",
  "viewer/src/core/channels/webglMixer.ts",
];
const kernel = [...readFileSync(join(ROOT, "shared/kernel/build/kernel.wasm"))];
const { cases } = JSON.parse(readFileSync(join(ROOT, "shared/vectors/channels/mix.json"), "utf8")) as {
  cases: readonly Case[];
};

test.describe("mixers by themselves", () => {
  let script: string;
  test.beforeAll(async () => void (script = await bundled(MODULES)));
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(pretendGraphicsCard);
    await page.goto("about:blank");
    await page.addScriptTag({ content: script });
    await page.evaluate(async (wasm) => {
      window.kernel = await window.modules.MixKernel.load(Uint8Array.from(wasm));
    }, kernel);
  });

  for (const kind of MIXERS)
    test(`CM2 CM3 CM4 CM5 CM10: ${kind} makes the pictures of the vectors, of 8, 12 and 16 bits, with and without a sign, of 1 to 64 channels`, async ({
      page,
    }) => {
      const made = await page.evaluate(
        ({ all, wanted }) =>
          all.map(({ bits = 8, signed = false, mix, samples }) => {
            const { CanvasMixer, WebglMixer, sampleRange } = window.modules;
            const range = sampleRange({ groups: { bit_depth: bits, signed } } as never);
            const mixer =
              wanted === "webgl"
                ? WebglMixer.open(range, 1 << 24, () => undefined)!
                : new CanvasMixer(range, window.kernel);
            const kinds = signed ? [Int8Array, Int16Array] : [Uint8Array, Uint16Array];
            const size = { width: samples[0]!.length, height: 1 };
            const sum = mixer.begin(size);
            mix.forEach((shown, i) => {
              const values = kinds[bits > 8 ? 1 : 0]!.from(samples[i]!);
              sum.change({ ...size, name: String(i), values }, shown, null);
            });
            const context = new OffscreenCanvas(size.width, size.height).getContext("2d")!;
            context.drawImage(sum.picture(), 0, 0);
            mixer.close();
            return { kind: mixer.kind, rgba: [...context.getImageData(0, 0, size.width, size.height).data] };
          }),
        { all: cases, wanted: kind },
      );
      for (const [i, { picture }] of cases.entries())
        expect(made[i], `case ${i}`).toEqual({ kind, rgba: picture.flatMap((rgb) => [...rgb, 255]) });
    });

  for (const kind of MIXERS)
    test(`CM5 CM10: ${kind} comes to the same picture over any other one, of tiles of any size, within its memory`, async ({
      page,
    }) => {
      const unlike = await page.evaluate((wanted) => {
        const { CanvasMixer, WebglMixer, mixed } = window.modules;
        const range = { least: -32768, most: 32767 };
        const budget = 8 << 20;
        const mixer =
          wanted === "webgl" ? WebglMixer.open(range, budget, () => undefined)! : new CanvasMixer(range, window.kernel);
        let seed = 7;
        const below = (limit: number): number => {
          seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
          return Math.floor((seed / 2 ** 32) * limit);
        };
        const shownOf = (c: number) => ({
          c,
          colour: below(1 << 24)
            .toString(16)
            .padStart(6, "0"),
          low: below(32768) - 32768,
          high: below(32767) + 1,
          gamma: 10 + below(991),
        });
        const found: string[] = [];
        for (const size of [
          { width: 256, height: 256 },
          { width: 101, height: 256 },
          { width: 256, height: 3 },
        ]) {
          const sum = mixer.begin(size);
          const mix = Array.from({ length: 64 }, (_, c) => shownOf(c));
          const planes = mix.map((_, c) => ({
            ...size,
            name: `${size.width} ${size.height} ${c}`,
            values: Int16Array.from({ length: size.width * size.height }, () => below(65536) - 32768),
          }));
          const compare = (left: typeof mix, name: string): void => {
            const context = new OffscreenCanvas(size.width, size.height).getContext("2d")!;
            context.drawImage(sum.picture(), 0, 0);
            const { data } = context.getImageData(0, 0, size.width, size.height);
            const rule = mixed(
              left.map(({ c }) => planes[c]!.values),
              left,
              range,
            );
            if (!data.every((value, i) => value === rule[i])) found.push(`${name} of ${size.width} x ${size.height}`);
          };
          mix.forEach((shown, c) => sum.change(planes[c]!, shown, null));
          compare(mix, "64 channels");
          for (const c of [3, 60]) {
            const before = mix[c]!;
            mix[c] = shownOf(c);
            sum.change(planes[c]!, mix[c], before);
          }
          compare(mix, "two other windows");
          for (const c of mix.keys()) if (c > 1) sum.change(planes[c]!, null, mix[c]!);
          compare(mix.slice(0, 2), "two channels left");
          sum.release();
          if (mixer.bytes > budget + (64 << 20)) found.push(`${mixer.bytes} bytes`);
        }
        mixer.close();
        return found;
      }, kind);
      expect(unlike).toEqual([]);
    });
});

test.describe("a slide of channels", () => {
  const folder = temporaryFolder();
  let service: Service;
  test.beforeAll(async () => {
    test.setTimeout(300_000); // 64 channels are imported
    const store = join(folder, "store");
    wavescope(store, ["ingest", "specimen:900x700?seed=4&channels=6", "--id", "cells", "--quality", "0.3sigma"]);
    wavescope(store, ["ingest", "specimen:1500x900?seed=6&channels=64", "--id", "many", "--quality", "0.7sigma"]);
    service = await Service.start(store);
  });
  test.afterAll(async () => {
    await service.stop();
    removeFolder(folder);
  });

  const idle = (page: Page): Promise<void> => page.evaluate(() => window.__wavescope.idle());
  const mixerOf = async (page: Page) => (await page.evaluate(() => window.__wavescope.memory())).mixer;
  const shown = (page: Page): Promise<string> =>
    page.evaluate(() => window.hashOfRgb(window.__wavescope.readCanvas(200, 100, 600, 400).rgba));
  /** Sets the window of channels, as many as are given. */
  const setMix = (page: Page, count: number, high: number): Promise<void> =>
    page.evaluate(
      ([channels, most]) => {
        const mix = Object.fromEntries(
          Array.from({ length: channels! }, (_, c) => [`c${c}`, [(c * 0x35a7c3) & 0x3f3f3f, 100 + c, most! + c, 100]]),
        );
        window.__wavescope.light.set({ ...window.__wavescope.light.read(), mix });
      },
      [count, high],
    );
  /** The same as a person sees two frames later, of however many channels. */
  const frames = (page: Page): Promise<void> =>
    page.evaluate(async () => {
      for (let i = 0; i < 2; i += 1) await new Promise(requestAnimationFrame);
    });

  test("CM10: is the same by WebGL and on the processor, also once the graphics processor is lost", async ({
    page,
    browser,
  }) => {
    const context = await browser.newContext({ viewport: page.viewportSize()! });
    const other = await context.newPage();
    await other.addInitScript(pretendGraphicsCard);
    await other.addInitScript(() => {
      const lost: (() => void)[] = [];
      const real = OffscreenCanvas.prototype.getContext as (...all: unknown[]) => unknown;
      OffscreenCanvas.prototype.getContext = function (this: OffscreenCanvas, ...all: unknown[]) {
        const made = real.apply(this, all);
        if (made instanceof WebGL2RenderingContext)
          lost.push(() => made.getExtension("WEBGL_lose_context")!.loseContext());
        return made;
      } as typeof OffscreenCanvas.prototype.getContext;
      Object.assign(window, { loseGpu: () => lost.forEach((lose) => lose()) });
    });
    for (const one of [page, other]) await openSlide(one, "cells", service.address);
    expect([await mixerOf(page), await mixerOf(other)]).toEqual(["canvas", "webgl"]);
    const both = async (change: (one: Page) => Promise<unknown>): Promise<void> => {
      for (const one of [page, other]) {
        await change(one);
        await idle(one);
      }
      expect(await shown(other)).toBe(await shown(page));
    };
    await both(() => Promise.resolve());
    for (const high of [2000, 3000, 900]) await both((one) => setMix(one, 4, high));
    await both((one) => setMix(one, 6, 2500));
    await both((one) => setMix(one, 1, 800));
    const before = await shown(other);
    await other.evaluate(() => (window as unknown as { loseGpu: () => void }).loseGpu());
    await expect.poll(() => mixerOf(other)).toBe("canvas");
    await idle(other);
    expect(await shown(other)).toBe(before);
    await both((one) => setMix(one, 3, 1800));
    await context.close();
  });

  for (const kind of MIXERS)
    test(`${kind} shows 64 channels at once; another window of one is drawn in the next frame, and memory is bounded`, async ({
      page,
    }) => {
      test.slow();
      if (kind === "webgl") await page.addInitScript(pretendGraphicsCard);
      await openSlide(page, "many", service.address);
      await page.evaluate(() => window.__wavescope.viewport.goTo(0, 0, 0));
      await setMix(page, 64, 4000);
      await idle(page);
      expect(await mixerOf(page)).toBe(kind);
      expect((await page.evaluate(() => window.__wavescope.tileState())).every(({ state }) => state === "exact")).toBe(
        true,
      );
      const equal = await page.evaluate(async () => {
        const { rgba } = await window.__wavescope.decodePixels({ z: 0, level: 0, x: 1, y: 1 }, 2);
        const drawn = window.__wavescope.readCanvas(256, 256, 256, 256).rgba;
        return (await window.hashOfRgb(rgba)) === (await window.hashOfRgb(drawn));
      });
      expect(equal).toBe(true);
      const first = await shown(page);
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      for (const high of [2000, 3000, 1000]) {
        await page.evaluate((most) => {
          const { read, set } = window.__wavescope.light;
          const { mix } = read();
          set({ ...read(), mix: { ...mix, c63: [0xffffff, 0, most, 100] } });
        }, high);
        if (high === 2000)
          await idle(page); // its samples are decoded again
        else await frames(page);
        const drawn = await shown(page);
        await idle(page);
        expect(await shown(page)).toBe(drawn);
        expect(drawn).not.toBe(first);
      }
      await setMix(page, 64, 4000);
      await idle(page);
      expect(await shown(page)).toBe(first);
      expect(requests.filter((url) => url.includes("/v/"))).toEqual([]);
      const memory = await page.evaluate(() => window.__wavescope.memory());
      expect(memory.decodedBytes + memory.bitmapBytes, JSON.stringify(memory)).toBeLessThan(512 * 2 ** 20);
      expect(memory.compressedBytes).toBeLessThan(64 * 6 * 2 ** 20);
    });
});
