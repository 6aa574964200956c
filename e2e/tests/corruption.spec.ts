// Damage on disk is shown as damage: a marked tile, never glass, never a wrong pixel; the other tiles still come.
import { existsSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { FIDUCIAL } from "../harness/slides.ts";
import { fidelity, openSlide, store, tileState } from "../harness/microscope.ts";
import { Service, copyStore, removeFolder } from "../harness/service.ts";

interface Damage {
  readonly name: string;
  /** Each damages another one. */
  readonly slide: string;
  readonly plane?: number;
  readonly inflict: (slideFolder: string) => void;
}

const SHARD = join("levels", "0", "c.0.0.0.0.0");

function flip(path: string, at: (size: number) => number): void {
  const bytes = readFileSync(path);
  const offset = at(bytes.length);
  bytes[offset] = bytes[offset]! ^ 0x10;
  writeFileSync(path, bytes);
}

const DAMAGES: Damage[] = [
  { name: "a deleted shard", slide: SLIDES.specimen, inflict: (folder) => rmSync(join(folder, SHARD)) },
  {
    name: "a shard cut short",
    slide: SLIDES.planes,
    plane: 3, // that of the middle: those out of focus have no blocks on level 0
    inflict: (folder) => truncateSync(join(folder, SHARD.replace("c.0", "c.3")), 5000),
  },
  {
    name: "a bit flipped in a shard's data",
    slide: SLIDES.lossless,
    inflict: (folder) => flip(join(folder, SHARD), () => 3000),
  },
  {
    name: "a bit flipped in a shard's index",
    slide: SLIDES.large,
    inflict: (folder) => flip(join(folder, SHARD), (size) => size - 40),
  },
];

let service: Service;

test.beforeAll(async () => {
  service = await Service.start(copyStore(store()));
});

test.afterAll(async () => {
  await service.stop();
  removeFolder(dirname(service.store));
});

/** The folder of a slide's version. */
function slideFolder(folder: string, digest: string): string {
  const path = join(folder, "slides", digest);
  if (!existsSync(path)) throw new Error(`no version ${digest} among ${readdirSync(join(folder, "slides")).join()}`);
  return path;
}

/** Full resolution, in the part that the damaged shard has. */
async function goToShard(page: Page, plane = 0): Promise<void> {
  await page.evaluate(async (z) => {
    const { viewport, slide } = window.__wavescope;
    viewport.setPlane(z);
    await viewport.goTo(Math.floor(slide().width / 6), Math.floor(slide().height / 6), 0); // a corner may be empty
    await window.__wavescope.idle();
  }, plane);
}

for (const { name, slide, plane = 0, inflict } of DAMAGES) {
  test(`${name} is marked in the viewer, refused by the service, and the rest of the slide still comes`, async ({
    page,
  }) => {
    const { digest } = await service.json<{ digest: string }>(`/api/v1/slides/${slide}`);
    const folder = slideFolder(service.store, digest);
    inflict(folder);
    await openSlide(page, slide, service.address);
    await goToShard(page, plane);
    const damaged = (await tileState(page)).filter((tile) => tile.state === "damaged");
    expect(damaged.length).toBeGreaterThan(0);
    expect(damaged.every((tile) => tile.level === 0)).toBe(true);
    expect(await fidelity(page)).toBe("damaged");
    await expect(page.getByTestId("fidelity")).toHaveAttribute("data-fidelity", "damaged");
    const { x, y } = damaged[0]!;
    const answer = await fetch(`${service.address}/api/v1/slides/${slide}/v/${digest}/blocks/${plane}/0/0/${x}/${y}`);
    expect(answer.status).toBe(500);
    expect(((await answer.json()) as { type: string }).type).toMatch(/corrupt/);
    await page.evaluate(async () => {
      const { width, height } = window.__wavescope.slide();
      window.__wavescope.viewport.show({ l0_x: width / 2, l0_y: height / 2, scale: 0.25 }, true);
      await window.__wavescope.idle();
    });
    expect(await fidelity(page), "coarser levels are whole").toBe("exact");
  });
}

/** The mean colour of a square around a level-0 point, as wide as three periods of the hatching. */
function meanAround(page: Page, l0_x: number, l0_y: number): Promise<number[]> {
  return page.evaluate(
    ([x, y]) => {
      const { canvas_x, canvas_y } = window.__wavescope.viewport.toCanvas(x!, y!);
      const { rgba } = window.__wavescope.readCanvas(Math.round(canvas_x) - 36, Math.round(canvas_y) - 36, 72, 72);
      const sums = [0, 0, 0];
      for (let i = 0; i < rgba.length; i += 4)
        for (let channel = 0; channel < 3; channel++) sums[channel]! += rgba[i + channel]!;
      return sums.map((sum) => (4 * sum) / rgba.length);
    },
    [l0_x, l0_y],
  );
}

test("where tiles are damaged the coarser intact picture shows dimmed under the hatching, and a notice says what it means", async ({
  page,
}, info) => {
  const { digest } = await service.json<{ digest: string }>(`/api/v1/slides/${SLIDES.fiducial}`);
  await openSlide(page, SLIDES.fiducial, service.address);
  await expect(page.getByTestId("damage-notice")).toHaveCount(0);
  rmSync(join(slideFolder(service.store, digest), SHARD));
  await page.evaluate(
    async ([x, y]) => {
      await window.__wavescope.viewport.goTo(x! - 400, y! - 250, 0);
      await window.__wavescope.idle();
    },
    [FIDUCIAL.l0_x, FIDUCIAL.l0_y],
  );
  expect((await tileState(page)).every(({ state, K }) => state === "damaged" && K === 0)).toBe(true);
  const [disc, field] = [
    await meanAround(page, FIDUCIAL.l0_x, FIDUCIAL.l0_y),
    await meanAround(page, FIDUCIAL.l0_x - 250, FIDUCIAL.l0_y),
  ];
  await storePicture(page, info.outputPath("damaged.png"));
  expect(field[1]! - disc[1]!, "the dark disc is seen in the light field").toBeGreaterThan(30);
  expect(field[1]!, "dimmed: the field itself has 228").toBeLessThan(180);
  expect(field[0]! - field[1]!, "the red hatching over it").toBeGreaterThan(10);
  const notice = page.getByTestId("damage-notice");
  await expect(notice).toContainText("hatched areas cannot be read");
  await expect(notice).toContainText("coarser picture is shown dimmed");
  await expect(notice).toContainText("import it again");
  await page.evaluate(async () => {
    window.__wavescope.viewport.fit(0, 0, 4096, 3072);
    await window.__wavescope.idle();
  });
  await expect(notice, "nothing in view is damaged").toHaveCount(0);
});
