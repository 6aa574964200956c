// Damage on disk is shown as damage: a marked tile, never glass, never a wrong pixel; the other tiles still come.
import { existsSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { fidelity, openSlide, store, tileState } from "../harness/microscope.ts";
import { Service, copyStore, removeFolder } from "../harness/service.ts";

interface Damage {
  readonly name: string;
  readonly inflict: (slideFolder: string) => void;
}

const SHARD = join("levels", "0", "c.0.0.0.0.0");

function flip(path: string, at: (size: number) => number): void {
  const bytes = readFileSync(path);
  const place = at(bytes.length);
  bytes[place] = bytes[place]! ^ 0x10;
  writeFileSync(path, bytes);
}

const DAMAGES: Damage[] = [
  { name: "a deleted shard", inflict: (folder) => rmSync(join(folder, SHARD)) },
  { name: "a shard cut short", inflict: (folder) => truncateSync(join(folder, SHARD), 5000) },
  { name: "a bit flipped in a shard's data", inflict: (folder) => flip(join(folder, SHARD), () => 3000) },
  { name: "a bit flipped in a shard's index", inflict: (folder) => flip(join(folder, SHARD), (size) => size - 40) },
];

/** The folder of a slide's version. */
function slideFolder(folder: string, digest: string): string {
  const path = join(folder, "slides", digest);
  if (!existsSync(path)) throw new Error(`no version ${digest} among ${readdirSync(join(folder, "slides")).join()}`);
  return path;
}

async function goToCorner(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await window.__wavescope.viewport.goTo(0, 0, 0);
    await window.__wavescope.idle();
  });
}

for (const { name, inflict } of DAMAGES) {
  test(`${name} is marked in the viewer, refused by the service, and the rest of the slide still comes`, async ({ page }) => {
    const copy = copyStore(store());
    const service = await Service.start(copy);
    try {
      const { digest } = await service.json<{ digest: string }>(`/api/v1/slides/${SLIDES.fiducial}`);
      const folder = slideFolder(copy, digest);
      inflict(folder);
      await openSlide(page, SLIDES.fiducial, service.address);
      await goToCorner(page);
      const damaged = (await tileState(page)).filter((tile) => tile.state === "damaged");
      expect(damaged.length).toBeGreaterThan(0);
      expect(damaged.every((tile) => tile.level === 0)).toBe(true);
      expect(await fidelity(page)).toBe("damaged");
      await expect(page.getByTestId("fidelity")).toHaveAttribute("data-fidelity", "damaged");
      const { x, y } = damaged[0]!;
      const answer = await fetch(`${service.address}/api/v1/slides/${SLIDES.fiducial}/v/${digest}/blocks/0/0/0/${x}/${y}`);
      expect(answer.status).toBe(500);
      expect((await answer.json()).type).toMatch(/corrupt/);
      await page.evaluate(async () => {
        window.__wavescope.viewport.fit(0, 0, 4096, 3072);
        await window.__wavescope.idle();
      });
      expect(await fidelity(page), "coarser levels are whole").toBe("exact");
    } finally {
      await service.stop();
      removeFolder(copy);
    }
  });
}
