// The picture must not wobble while it refines: a round mark stays in its position through all levels and layers.
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { FIDUCIAL, SLIDES } from "../harness/globalSetup.ts";
import { address, slideIsKnown } from "../harness/microscope.ts";

test.use({ transport: "batch" }); // batches are delayed or changed on their way

interface Look {
  readonly state: string;
  readonly x: number;
  readonly y: number;
}

const LIMIT = 0.1;

/** Opens the slide's page and does not wait for its picture. */
async function openUnready(page: Page): Promise<void> {
  await page.goto(`${address()}/slides/${SLIDES.fiducial}`);
  await page.waitForFunction(slideIsKnown);
}

for (const scale of [1, 0.83, 0.37]) {
  test(`a mark seen at ${scale} x stays within ${LIMIT} pixel from the first coarse picture to the last layer`, async ({
    page,
  }) => {
    // From nothing: a new page that has no blocks yet, then at once the view around the mark, over a link slow enough to show every step.
    const link = await page.context().newCDPSession(page);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/blocks:batch", async (route) => {
      await released;
      await route.continue().catch(() => undefined); // given up for the new view
    });
    await openUnready(page);
    await link.send("Network.enable");
    await link.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 20,
      downloadThroughput: 120_000,
      uploadThroughput: 120_000,
    });
    const watching = page.evaluate(watch, { ...FIDUCIAL, scale });
    release();
    const looks = await watching;
    const last = looks.at(-1)!;
    expect(last.state).toContain("exact");
    const states = new Set(looks.map((look) => look.state));
    expect(states.size, [...states].join(" | ")).toBeGreaterThanOrEqual(3);
    for (const look of looks) {
      expect(Math.hypot(look.x - last.x, look.y - last.y), `drawn ${look.state}`).toBeLessThan(LIMIT);
    }
    const place = await page.evaluate(
      ([x, y]) => window.__wavescope.viewport.toCanvas(x!, y!),
      [FIDUCIAL.l0_x, FIDUCIAL.l0_y],
    );
    // At exactly 1:1 the whole slide is moved to whole pixels, so that every pixel is shown unfiltered: by half a pixel at most.
    const settled = scale === 1 ? Math.SQRT1_2 : 0;
    expect(Math.hypot(last.x - place.canvas_x, last.y - place.canvas_y), "where the mark belongs").toBeLessThan(
      LIMIT + settled,
    );
  });
}

const FRAME = 12; // bytes of a frame's header: index u32, status u8, 0 0 0, length u32
const UNAVAILABLE = 3;

/** Lets the batches bring level 2 at first, then one level more each time the page asks again with level 0 in view. */
async function oneLevelAtATime(page: Page): Promise<void> {
  let finest = 2;
  let asked = 0;
  await page.route("**/blocks:batch", async (route) => {
    const { blocks } = route.request().postDataJSON() as { blocks: number[][] };
    const body = await (await route.fetch()).body();
    const frames: Buffer[] = [];
    for (let at = 0; at < body.length; ) {
      const end = at + FRAME + body.readUInt32LE(at + 8);
      const block = blocks[body.readUInt32LE(at)];
      const frame = Buffer.from(body.subarray(at, block && block[2]! < finest ? at + FRAME : end));
      if (block && block[2]! < finest) {
        frame[4] = UNAVAILABLE;
        frame.writeUInt32LE(0, 8);
      }
      frames.push(frame);
      at = end;
    }
    if (blocks.some((block) => block[2] === 0)) finest = Math.max(0, 2 - ++asked);
    await route.fulfill({ status: 200, contentType: "application/vnd.wavescope.blocks", body: Buffer.concat(frames) });
  });
}

test(`a mark stays within ${LIMIT} pixel while level after level comes in behind the same view`, async ({ page }) => {
  await oneLevelAtATime(page);
  await openUnready(page);
  const looks = await page.evaluate(watch, { ...FIDUCIAL, scale: 0.9 });
  const last = looks.at(-1)!;
  expect(last.state).toContain("exact");
  expect(looks.length, looks.map((look) => look.state).join(" | ")).toBeGreaterThanOrEqual(4);
  for (const look of looks)
    expect(Math.hypot(look.x - last.x, look.y - last.y), `drawn ${look.state}`).toBeLessThan(LIMIT);
});

/** Goes to the view and measures the mark's centre of mass on the canvas in every frame until all is exact. Runs in the page. */
async function watch(mark: { l0_x: number; l0_y: number; radius: number; scale: number }): Promise<Look[]> {
  const { viewport, readCanvas, tileState, fidelity } = window.__wavescope;
  const canvas = { width: innerWidth, height: innerHeight };
  const shown = viewport.state();
  const [width, height] = [(shown.l0_width * shown.scale) / mark.scale, (shown.l0_height * shown.scale) / mark.scale];
  // An odd offset: the position of the mark is not an integer at any level.
  viewport.fit(mark.l0_x - width * 0.47, mark.l0_y - height * 0.52, width, height);
  const half = Math.ceil(mark.radius * mark.scale * 1.6) + 4;
  const looks: Look[] = [];
  const seen = new Set<string>();
  for (;;) {
    await new Promise(requestAnimationFrame);
    const at = viewport.toCanvas(mark.l0_x, mark.l0_y);
    const [left, top] = [Math.round(at.canvas_x) - half, Math.round(at.canvas_y) - half];
    if (left < 0 || top < 0 || left + 2 * half > canvas.width || top + 2 * half > canvas.height)
      throw new Error("the mark is not in view");
    const { rgba } = readCanvas(left, top, 2 * half, 2 * half);
    let [mass, x, y] = [0, 0, 0];
    for (let i = 0; i < rgba.length; i += 4) {
      // Where the outline lies, not how dark the inside is: 1 within, 0 without, between 160 and 100 in proportion.
      const weight = rgba[i + 3]! === 255 ? Math.min(1, Math.max(0, (160 - rgba[i + 1]!) / 60)) : 0;
      mass += weight;
      x += weight * (((i / 4) % (2 * half)) + 0.5);
      y += weight * (Math.floor(i / 4 / (2 * half)) + 0.5);
    }
    const near = tileState().map((tile) => `${tile.level}:${tile.state}${tile.K}`);
    const state = [fidelity(), ...new Set(near), `mass ${mass.toFixed(0)}`].join(" ");
    if (mass > 0 && !seen.has(state)) {
      seen.add(state);
      looks.push({ state, x: left + x / mass, y: top + y / mass });
    }
    if (fidelity() === "exact") {
      await window.__wavescope.idle();
      if (looks.at(-1)?.state === state) return looks;
    }
  }
}
