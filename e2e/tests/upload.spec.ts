// Slides come in through the page: progress while they do, a plain word when they cannot.
import { appendFileSync, copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../harness/test.ts";
import { lookAt, storePicture } from "../harness/looks.ts";
import { slideIsOpen } from "../harness/microscope.ts";
import { writeFiducial, writeTiff } from "../harness/pictures.ts";
import { ON_CLUSTER, removeFolder, temporaryFolder } from "../harness/service.ts";
import { sharedService } from "../harness/sharedService.ts";
import { choose, qualityDialog, row, storedQuestion, upload } from "../harness/uploading.ts";

declare global {
  interface Window {
    /** Notes what the page says of a file on its way in. */
    said(text: string): void;
  }
}

const PATIENT = { timeout: 60_000 }; // imports leave the processors to all others
let folder: string;
const own = sharedService("empty");

test.beforeAll(() => {
  folder = temporaryFolder();
  writeFiducial(join(folder, "small mark.png"), 700, 600, { l0_x: 350, l0_y: 300, radius: 96 });
  for (const [i, name] of ["next", "later", "held"].entries())
    writeFiducial(join(folder, `${name}.png`), 800 + i, 600, { l0_x: 350, l0_y: 300, radius: 96 });
  writeFiducial(join(folder, "large.png"), 9000, 7000, { l0_x: 4000, l0_y: 3000, radius: 400 });
  copyFileSync(join(folder, "large.png"), join(folder, "chosen.png"));
  appendFileSync(join(folder, "chosen.png"), "\0"); // another file of the same picture
});

test.afterAll(() => removeFolder(folder));

test("an uploaded picture becomes a slide that opens", async ({ page }) => {
  await page.goto(own.service.address);
  await upload(page, join(folder, "small mark.png"));
  await expect(row(page, "small mark.png")).toHaveAttribute("data-phase", "done", PATIENT);
  await expect(page.getByTestId("slide-card")).toContainText(["700 × 600 px"]);
  await row(page, "small mark.png").getByRole("button", { name: "Open" }).click();
  await slideIsOpen(page);
  expect(await page.evaluate(() => window.__wavescope.fidelity())).toBe("exact");
});

test("a large upload shows live progress, and says that it was cancelled", async ({ page }) => {
  await page.goto(own.service.address);
  const said = new Set<string>();
  await page.exposeFunction("said", (text: string) => said.add(text));
  await page.evaluate(() => {
    const notice = () => {
      const text = document.querySelector("[data-testid=incoming] [role=status]")?.textContent;
      if (text) window.said(text);
    };
    new MutationObserver(notice).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await upload(page, join(folder, "large.png"));
  const mine = row(page, "large.png");
  await expect(mine).toHaveAttribute("data-phase", "ingesting", PATIENT);
  await expect(mine.getByRole("status")).toContainText(/Importing \d+\s?%.*visually lossless/, PATIENT);
  await mine.getByRole("button", { name: "Cancel" }).click();
  await expect(mine).toHaveAttribute("data-phase", "cancelled");
  await expect(mine).toContainText("Cancelled");
  expect([...said].some((text) => /Uploading/.test(text))).toBe(true);
  const { slides } = await own.service.json<{ slides: { title: string }[] }>("/api/v1/slides");
  expect(slides.filter((slide) => slide.title.includes("large"))).toEqual([]);
});

test("an import that was killed from outside keeps its file, and runs again at a click (WI135)", async ({ page }) => {
  test.skip(ON_CLUSTER, "its nodes are processes of a supervisor");
  copyFileSync(join(folder, "large.png"), join(folder, "stopped.png"));
  appendFileSync(join(folder, "stopped.png"), "\0\0");
  await page.goto(own.service.address);
  await upload(page, join(folder, "stopped.png"));
  const mine = row(page, "stopped.png");
  await expect(mine).toHaveAttribute("data-phase", "ingesting", PATIENT);
  for (const child of importsOf(own.service.store)) process.kill(child, "SIGKILL");
  await expect(mine).toContainText("Import stopped: the ingest was ended from outside (SIGKILL). The file is kept.");
  await page.reload();
  await mine.getByRole("button", { name: "Try again to import stopped.png" }).click();
  await expect(mine).toHaveAttribute("data-phase", /waiting|ingesting/);
  await expect(mine).toHaveAttribute("data-phase", "done", { timeout: 120_000 });
});

/** The processes that import files into a store now. */
function importsOf(store: string): number[] {
  const commandOf = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "1";
        return commandOf(pid).includes("wavescope.service.jobs.child") && commandOf(parent).includes(store);
      } catch {
        return false; // it has ended
      }
    })
    .map(Number);
}

test("a running import changes to another quality, size and time of both are shown, and the choice is remembered", async ({
  page,
}, info) => {
  test.setTimeout(300_000);
  await page.goto(own.service.address);
  await choose(page, join(folder, "chosen.png"));
  const mine = row(page, "chosen.png");
  await expect(mine).toHaveAttribute("data-phase", "ingesting", PATIENT);
  await mine.getByRole("button", { name: "Change image quality" }).click();
  const dialog = qualityDialog(page);
  await expect(dialog.getByTestId("store-facts")).toContainText("9,000 × 7,000 px", PATIENT);
  await expect(dialog.getByRole("radio", { name: /^Visually lossless: about/ })).toBeChecked();
  const bytes = async (name: string): Promise<number> => {
    const words = (await dialog.getByText(new RegExp(`^${name}: about`)).textContent())!;
    const [, number, unit] = /about ([\d.]+)\s(k?B|MB)/.exec(words)!;
    return Number(number) * { B: 1, kB: 1e3, MB: 1e6 }[unit as "B"];
  };
  expect(await bytes("Lossless")).toBeGreaterThan(await bytes("Visually lossless"));
  await storePicture(page, info.outputPath("image-quality.png"));
  await dialog.getByRole("radio", { name: /^Lossless/ }).check();
  await dialog.getByRole("button", { name: "Change quality" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(mine).toContainText(/Importing.*, lossless/, PATIENT);
  await mine.getByRole("button", { name: "Cancel" }).click();
  await expect(mine).toHaveAttribute("data-phase", "cancelled");
  await page.reload();
  await upload(page, join(folder, "next.png"));
  await expect(row(page, "next.png")).toHaveAttribute("data-phase", "done", PATIENT);
  expect((await own.service.json<{ profile: string }>("/api/v1/slides/next")).profile).toBe("lossless");
});

test("a file that is stored already is opened, replaced or kept twice, also after a restart", async ({
  page,
}, info) => {
  test.setTimeout(300_000); // four uploads and a restart
  const slides = async (): Promise<string[]> =>
    (await own.service.json<{ slides: { id: string }[] }>("/api/v1/slides?search=later")).slides
      .map(({ id }) => id)
      .sort();
  await page.goto(own.service.address);
  await upload(page, join(folder, "later.png"));
  await expect(row(page, "later.png")).toHaveAttribute("data-phase", "done", PATIENT);
  copyFileSync(join(folder, "later.png"), join(folder, "later again.png"));
  expect(await slides()).toEqual(["later"]);

  await choose(page, join(folder, "later again.png"));
  const asked = storedQuestion(page, "later again.png");
  await expect(asked).toContainText("The same file was imported as “later”");
  for (const name of ["Open it", "Replace it", "Keep both", "Cancel upload"])
    await expect(asked.getByRole("button", { name })).toBeVisible();
  await storePicture(page, info.outputPath("already-stored.png"));
  await page.getByRole("dialog").getByRole("button", { name: "Decide later", exact: true }).click();
  await own.service.stop("SIGKILL");
  await own.service.startAgain();
  await page.reload();
  const mine = row(page, "later again.png");
  await expect(mine).toContainText("This file was imported before");
  await mine.getByRole("button", { name: "Preview" }).click();
  const banner = page.getByTestId("preview-banner");
  await expect(banner).toContainText("Not imported yet", PATIENT);
  await page.goBack();
  await mine.getByRole("button", { name: "Choose" }).click();
  await asked.getByRole("button", { name: "Replace it" }).click();
  await expect(mine).toHaveAttribute("data-phase", "done", PATIENT);
  expect(await slides()).toEqual(["later"]);

  await choose(page, join(folder, "later again.png"));
  await asked.getByRole("button", { name: "Keep both" }).click();
  await expect.poll(slides).toEqual(["later", "later-again"]);

  await choose(page, join(folder, "later again.png"));
  await asked.getByRole("button", { name: "Open it" }).click();
  await page.waitForURL(/\/slides\/later/);
  await slideIsOpen(page);
  expect((await own.service.json<{ jobs: { state: string }[] }>("/api/v1/jobs")).jobs[0]!.state).toBe("cancelled");
});

test("a file that was sent to wait keeps waiting, is previewed and imported in the quality chosen there", async ({
  page,
}) => {
  const sent = await fetch(`${own.service.address}/api/v1/uploads?filename=held.png&start=false`, {
    method: "POST",
    body: readFileSync(join(folder, "held.png")),
  });
  expect(sent.status).toBe(202);
  await page.goto(own.service.address);
  await expect(row(page, "held.png")).toContainText("Choose image quality");
  await row(page, "held.png").getByRole("button", { name: "Preview" }).click();
  const banner = page.getByTestId("preview-banner");
  await expect(banner).toContainText("Not imported yet", PATIENT);
  await banner.getByRole("button", { name: "Import slide" }).click();
  await qualityDialog(page).getByRole("button", { name: "Import slide" }).click();
  await page.waitForURL(/\/slides\/held/);
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
    await page.goto(own.service.address);
    await page.evaluate(() => {
      const look = (): void => {
        const offered = [...document.querySelectorAll("[data-testid=incoming] button")].some(
          ({ textContent }) => textContent === "Preview",
        );
        if (offered) document.documentElement.dataset.offered = "yes";
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
    });
    await choose(page, join(folder, name));
    const mine = row(page, name);
    await expect(mine).toHaveAttribute("data-phase", "failed", PATIENT);
    await expect(page.locator("html"), "a preview of what cannot be read").not.toHaveAttribute("data-offered");
    const reason = await mine.getByRole("status").innerText();
    expect(reason.length).toBeGreaterThan(15);
    expect(reason).not.toMatch(/Traceback|Error:|undefined|object Object/);
    expect((await fetch(`${own.service.address}/readyz`)).status).toBe(200);
  });
}

test("an answer about the job that is lost shows no second upload, and sends nothing again", async ({ page }) => {
  writeFiducial(join(folder, "lost.png"), 900, 610, { l0_x: 350, l0_y: 300, radius: 96 });
  let [lost, sent] = [3, 0];
  await page.route("**/api/v1/jobs/*", (route) => ((lost -= 1) >= 0 ? route.abort() : route.continue()));
  page.on("request", (request) => (sent += request.method() === "PATCH" && request.postDataBuffer() ? 1 : 0));
  await page.goto(own.service.address);
  await upload(page, join(folder, "lost.png"));
  await expect(row(page, "lost.png")).toHaveAttribute("data-phase", "done", PATIENT);
  await expect(row(page, "lost.png")).toHaveCount(1);
  expect(lost).toBeLessThan(0);
  expect(sent).toBe(1);
});

test("the bar of an upload is as long as its number says, from the first frame on", async ({ page }) => {
  await page.goto(own.service.address);
  await page.evaluate(() => {
    const odd: string[] = [];
    Object.assign(window, { odd });
    const look = (): void => {
      for (const one of document.querySelectorAll("[data-testid=incoming]")) {
        const percent = /Uploading (\d+)\s?%/.exec(one.textContent)?.[1];
        const [track, bar] = [
          one.querySelector("[class*=Progress-root]"),
          one.querySelector("[class*=Progress-section]"),
        ];
        if (percent === undefined || !track || !bar) continue;
        const shown = (100 * bar.getBoundingClientRect().width) / track.getBoundingClientRect().width;
        if (Math.abs(shown - Number(percent)) > 2) odd.push(`${percent} % beside ${Math.round(shown)} %`);
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  writeFiducial(join(folder, "bar.png"), 9001, 7000, { l0_x: 4000, l0_y: 3000, radius: 400 });
  await upload(page, join(folder, "bar.png"));
  const mine = row(page, "bar.png");
  await expect(mine).toHaveAttribute("data-phase", /ingesting|done/, PATIENT);
  expect(await page.evaluate(() => (window as unknown as { odd: string[] }).odd)).toEqual([]);
  await mine.getByRole("button", { name: "Cancel" }).click();
});

test("a file that cannot be read says why in a reader's words", async ({ page }) => {
  writeTiff(join(folder, "whole.tif"), 400);
  const whole = readFileSync(join(folder, "whole.tif"));
  writeFileSync(join(folder, "cut.tif"), whole.subarray(0, whole.length / 4));
  writeFileSync(join(folder, "letter.docx"), "Dear pathologist,\n");
  await page.goto(own.service.address);
  await upload(page, join(folder, "cut.tif"));
  await expect(row(page, "cut.tif")).toHaveAttribute("data-phase", "failed", PATIENT);
  await expect(row(page, "cut.tif")).toContainText(
    /The file is cut off: 120\skB of at least 480\skB; copy or export it again/i,
  );
  await upload(page, join(folder, "letter.docx"));
  await expect(row(page, "letter.docx")).toContainText(/unrecognised format.*Supported: SVS, NDPI, MRXS.*DICOM/i);
  expect(await lookAt(page, "upload-failures")).toEqual([]);
});
