// Slides come in through the page: progress while they do, a plain word when they cannot.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../harness/test.ts";
import { slideIsOpen } from "../harness/microscope.ts";
import { writeFiducial } from "../harness/pictures.ts";
import { Service, removeFolder, temporaryFolder } from "../harness/service.ts";
import { choose, question, row, upload } from "../harness/uploading.ts";

let folder: string;
let service: Service;

test.beforeAll(async () => {
  folder = temporaryFolder();
  service = await Service.start(join(folder, "store"));
  writeFiducial(join(folder, "small mark.png"), 700, 600, { l0_x: 350, l0_y: 300, radius: 96 });
  for (const name of ["chosen", "later", "never"]) writeFiducial(join(folder, `${name}.png`), 800, 600, { l0_x: 350, l0_y: 300, radius: 96 });
  writeFiducial(join(folder, "large.png"), 9000, 7000, { l0_x: 4000, l0_y: 3000, radius: 400 });
});

test.afterAll(async () => {
  await service.stop();
  removeFolder(folder);
});

test("an uploaded picture becomes a slide that opens", async ({ page }) => {
  await page.goto(service.address);
  await upload(page, join(folder, "small mark.png"));
  await expect(row(page, "small mark.png")).toHaveAttribute("data-phase", "done");
  await expect(page.getByTestId("slide-card")).toContainText(["700 × 600 px"]);
  await row(page, "small mark.png").getByRole("button", { name: "Open" }).click();
  await slideIsOpen(page);
  expect(await page.evaluate(() => window.__wavescope.fidelity())).toBe("exact");
});

test("a large upload shows live progress, and says that it was cancelled", async ({ page }) => {
  await page.goto(service.address);
  const said = new Set<string>();
  await page.exposeFunction("said", (text: string) => said.add(text));
  await page.evaluate(() => {
    const told = () => {
      const text = document.querySelector("[data-testid=incoming] [role=status]")?.textContent;
      if (text) (window as unknown as { said(text: string): void }).said(text);
    };
    new MutationObserver(told).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await upload(page, join(folder, "large.png"));
  const mine = row(page, "large.png");
  await expect(mine).toHaveAttribute("data-phase", "ingesting", { timeout: 60_000 });
  await expect(mine.getByRole("status")).toContainText(/Making the slide \d+ %/);
  await mine.getByRole("button", { name: "Cancel" }).click();
  await expect(mine).toHaveAttribute("data-phase", "cancelled");
  await expect(mine).toContainText("Cancelled");
  expect([...said].some((text) => /Uploading/.test(text))).toBe(true);
  const { slides } = await service.json<{ slides: { title: string }[] }>("/api/v1/slides");
  expect(slides.filter((slide) => slide.title.includes("large"))).toEqual([]);
});

test("size, time and room of both profiles are told before anything is stored; the choice is kept", async ({ page }, info) => {
  await page.goto(service.address);
  await choose(page, join(folder, "chosen.png"));
  const asked = question(page, "chosen.png");
  await expect(asked.getByTestId("store-facts")).toContainText("800 × 600 px");
  const bytes = async (name: string): Promise<number> => {
    const words = (await asked.getByText(new RegExp(`^${name}: about`)).textContent())!;
    const [, number, unit] = /about ([\d.]+) (k?B|MB)/.exec(words)!;
    return Number(number) * { B: 1, kB: 1e3, MB: 1e6 }[unit as "B"];
  };
  const [visual, lossless] = [await bytes("Visual"), await bytes("Lossless")];
  expect(lossless).toBeGreaterThan(visual);
  await expect(row(page, "chosen.png")).toHaveAttribute("data-phase", "held");
  expect((await service.json<{ slides: { id: string }[] }>("/api/v1/slides")).slides.filter(({ id }) => id === "chosen")).toEqual([]);
  await page.screenshot({ path: info.outputPath("how-to-store.png") });
  await asked.getByRole("radio", { name: /^Lossless/ }).check();
  await asked.getByRole("button", { name: "Make the slide" }).click();
  await expect(row(page, "chosen.png")).toHaveAttribute("data-phase", "done");
  const { profile } = await service.json<{ profile: string }>("/api/v1/slides/chosen");
  expect(profile).toBe("lossless");
});

test("a file that waits for the choice keeps waiting through a restart, is previewed, and can be cancelled", async ({ page }) => {
  await page.goto(service.address);
  await choose(page, join(folder, "later.png"), join(folder, "never.png"));
  for (const name of ["later.png", "never.png"]) await expect(question(page, name)).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Later", exact: true }).click();
  await expect(row(page, "later.png")).toContainText("How shall it be stored?");
  await service.stop("SIGKILL");
  service = await Service.start(service.store, { port: service.port });
  await page.reload();
  await expect(row(page, "later.png")).toHaveAttribute("data-phase", "held");
  await row(page, "never.png").getByRole("button", { name: "Cancel" }).click();
  await expect(row(page, "never.png")).toHaveAttribute("data-phase", "cancelled");
  await row(page, "later.png").getByRole("button", { name: "Preview" }).click();
  const banner = page.getByTestId("preview-banner");
  await expect(banner).toContainText("Nothing is stored yet", { timeout: 60_000 });
  await banner.getByRole("button", { name: "Make the slide" }).click();
  await question(page, "later.png").getByRole("button", { name: "Make the slide" }).click();
  await page.waitForURL(/\/slides\/later/);
  await slideIsOpen(page);
});

/** A PNG header that claims 100,000 x 100,000 pixels and holds none. */
function hugePng(): Buffer {
  const header = Buffer.from("89504e470d0a1a0a0000000d49484452000186a0000186a00802000000", "hex");
  return Buffer.concat([header, Buffer.from("9cc9d9d4", "hex"), Buffer.alloc(64)]);
}

const HOSTILE: [string, Buffer][] = [
  ["huge.png", hugePng()],
  ["words.svs", Buffer.from("this is no slide at all\n".repeat(100))],
  ["cut.tif", Buffer.from("49492a00ffffff7f", "hex")],
];

for (const [name, bytes] of HOSTILE) {
  test(`${name}, which is no slide, fails with a reason and the service keeps serving`, async ({ page }) => {
    writeFileSync(join(folder, name), bytes);
    await page.goto(service.address);
    await page.evaluate(() => {
      const look = (): void => {
        const offered = [...document.querySelectorAll("[data-testid=incoming] button")].some(({ textContent }) => textContent === "Preview");
        if (offered) document.documentElement.dataset.offered = "yes";
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
    });
    await choose(page, join(folder, name));
    const mine = row(page, name);
    await expect(mine).toHaveAttribute("data-phase", "failed");
    await expect(page.locator("html"), "a preview of what cannot be read").not.toHaveAttribute("data-offered");
    const reason = await mine.getByRole("status").innerText();
    expect(reason.length).toBeGreaterThan(15);
    expect(reason).not.toMatch(/Traceback|Error:|undefined|object Object/);
    expect((await fetch(`${service.address}/readyz`)).status).toBe(200);
  });
}
