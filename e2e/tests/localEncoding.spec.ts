// A file is encoded in the browser: only what is stored of the slide leaves it (local.md).
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { Page, Request } from "@playwright/test";
import { Link } from "../harness/link.ts";
import { storePicture } from "../harness/looks.ts";
import { slideIsOpen } from "../harness/microscope.ts";
import { writeFiducial } from "../harness/pictures.ts";
import { ROOT, removeFolder, temporaryFolder, wavescope } from "../harness/service.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";
import { row } from "../harness/uploading.ts";

const PATIENT = { timeout: 120_000 };
/** The name of the file, and what is written in it: nothing of it may leave the browser. */
const PLANTED = ["Miller", "4711", "Hanover"];
const FILE = "Miller 4711.png";

declare global {
  interface Window {
    /** Notes the bytes of a file that the page sends, in base64. */
    noteSent(bytes: string): void;
  }
}

const own = sharedService("empty");
let folder: string;
let digest: string;

test.beforeAll(() => {
  folder = temporaryFolder();
  const plain = join(folder, "plain.png");
  writeFiducial(plain, 1500, 1100, { l0_x: 700, l0_y: 500, radius: 260 });
  const png = readFileSync(plain);
  writeFileSync(
    join(folder, FILE),
    Buffer.concat([png.subarray(0, 33), textChunk("Patient\0Miller 4711, Hanover"), png.subarray(33)]),
  );
  const store = join(folder, "store");
  const { stdout } = wavescope(store, ["ingest", join(folder, FILE), "--deidentify", "--json"]);
  digest = (JSON.parse(stdout.trim().split("\n").at(-1)!) as { digest: string }).digest;
});

test.afterAll(() => removeFolder(folder));

function textChunk(text: string): Buffer {
  const body = Buffer.from(`tEXt${text}`, "latin1");
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** The dialog for the file, which is looked at. */
async function open(page: Page, path: string) {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Look at it now" }).click(),
  ]);
  await chooser.setFiles(path);
  await page.getByTestId("local-banner").getByRole("button", { name: "Encode in this browser" }).click(PATIENT);
  return page.getByRole("dialog", { name: "Encode in this browser" });
}

/** Everything that a page sends; `files`: the bytes of files among it, which Playwright does not see. */
async function sentBy(page: Page): Promise<{ readonly requests: string[]; readonly files: string[] }> {
  const [requests, files]: string[][] = [[], []];
  page.on("request", (request: Request) => {
    const headers = Object.entries(request.headers()).flat();
    const decoded = (request.headers()["upload-metadata"] ?? "")
      .split(",")
      .map((pair) => Buffer.from(pair.split(" ")[1] ?? "", "base64").toString());
    requests!.push([request.url(), ...headers, ...decoded, request.postData() ?? ""].join("\n"));
  });
  await page.exposeFunction("noteSent", (bytes: string) =>
    files!.push(Buffer.from(bytes, "base64").toString("latin1")),
  );
  await page.addInitScript(() => {
    const send = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, "send")!.value as XMLHttpRequest["send"];
    XMLHttpRequest.prototype.send = function (body) {
      const reader = new FileReader();
      reader.onload = () => window.noteSent((reader.result as string).replace(/^.*,/, ""));
      if (body instanceof Blob) reader.readAsDataURL(body);
      send.call(this, body);
    };
  });
  return { requests: requests!, files: files! };
}

test("a file is encoded here and uploaded: the service stores the version that it would have made (LI20, LI24, LI25)", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const sent = await sentBy(page);
  await page.goto(own.service.address);
  const dialog = await open(page, join(folder, FILE));
  await expect(dialog.getByLabel("Title")).toHaveValue("");
  await dialog.getByLabel("Title").fill("Case 1.5");
  await dialog.getByRole("button", { name: "Encode here, then upload" }).click();
  await expect(dialog).toHaveCount(0, PATIENT);
  await expect(row(page, "Case 1.5")).toHaveAttribute("data-phase", "done", PATIENT);
  const { slides } = await own.service.json<{ slides: { id: string; title: string; digest: string }[] }>(
    "/api/v1/slides",
  );
  expect(slides.map((slide) => [slide.title, slide.digest])).toContainEqual(["Case 1.5", digest]);
  expect(sent.files).toHaveLength(1);
  expect(sent.files[0]!.slice(0, 4)).toBe("PK\u0003\u0004");
  expect(sent.files[0]!.length).toBeLessThan(statSync(join(folder, FILE)).size / 2);
  for (const word of PLANTED) expect([...sent.requests, ...sent.files].filter((one) => one.includes(word))).toEqual([]);
  await row(page, "Case 1.5").getByRole("button", { name: "Open" }).click();
  await slideIsOpen(page);
  expect(await page.evaluate(() => window.__wavescope.fidelity())).toBe("exact");
});

test("a file is encoded here and saved: the service takes it as it is, and nothing was sent (LI25, SH25)", async ({
  page,
}) => {
  test.setTimeout(240_000);
  await page.addInitScript(() => Object.assign(window, { showSaveFilePicker: undefined }));
  await page.goto(own.service.address);
  const dialog = await open(page, join(folder, FILE));
  await dialog.getByLabel("Title").fill("Saved");
  const [download] = await Promise.all([
    page.waitForEvent("download", PATIENT),
    dialog.getByRole("button", { name: "Save as .wsz" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("Saved.wsz");
  const path = join(folder, "Saved.wsz");
  await download.saveAs(path);
  const store = join(folder, "other");
  wavescope(store, ["ingest", path, "--deidentify"]);
  const { stdout } = wavescope(store, ["list", "--json"]);
  expect(stdout).toContain(digest);
  expect(readFileSync(path, "latin1")).not.toMatch(/Miller|4711|Hanover/);
});

test("an Aperio file is encoded in several qualities: each digest is that of the service's import (LI20, LI25)", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const vectors = join(ROOT, "shared/vectors/local");
  const { files } = JSON.parse(readFileSync(join(vectors, "versions.json"), "utf8")) as {
    files: { file: string; quality: string; digest: string }[];
  };
  const choices = { compact: "Compact", auto: "As the file deserves", "42dB": "Requested PSNR" };
  for (const [quality, option] of Object.entries(choices)) {
    const { file, digest: expected } = files.find((one) => one.quality === quality)!;
    await page.goto(own.service.address);
    const dialog = await open(page, join(vectors, file));
    await dialog.getByLabel("Title").fill(quality);
    await dialog.getByRole("radio", { name: option }).check();
    if (option === "Requested PSNR") {
      await dialog.getByLabel("PSNR in dB").fill("51");
      await expect(dialog.getByRole("button", { name: "Encode here, then upload" })).toBeDisabled();
      await dialog.getByLabel("PSNR in dB").fill("42");
      await storePicture(page, join(ROOT, "e2e/test-results/screenshots/local-encoding.png"));
    }
    await dialog.getByRole("button", { name: "Encode here, then upload" }).click();
    await expect(row(page, quality)).toHaveAttribute("data-phase", "done", PATIENT);
    const { slides } = await own.service.json<{ slides: { title: string; digest: string }[] }>("/api/v1/slides");
    expect(slides.map((slide) => [slide.title, slide.digest])).toContainEqual([quality, expected]);
  }
});

test("an encoding that is cancelled ends, and leaves nothing in the browser (LI22, LI23)", async ({ page }) => {
  test.setTimeout(240_000);
  const before = (await own.service.json<{ total: number }>("/api/v1/slides")).total;
  await page.goto(own.service.address);
  const dialog = await open(page, join(folder, FILE));
  await dialog.getByLabel("Title").fill("Cancelled");
  await dialog.getByRole("button", { name: "Encode here, then upload" }).click();
  await expect(dialog.getByTestId("encoding-progress")).toContainText(/Choosing|Encoding \d+\s?%/, PATIENT);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog.getByTestId("encoding-progress")).toHaveCount(0);
  await expect(dialog.getByRole("button", { name: "Encode here, then upload" })).toBeEnabled();
  const left = () =>
    page.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      const found: string[] = [];
      const encoding = (await root.getDirectoryHandle("encoding")) as unknown as { keys(): AsyncIterable<string> };
      for await (const name of encoding.keys()) found.push(name);
      return found;
    });
  await expect.poll(left, PATIENT).toEqual([]);
  expect((await own.service.json<{ total: number }>("/api/v1/slides")).total).toBe(before);
});

test("an upload of an encoded file that the network breaks sends only the rest (LI25, WI95)", async ({ page }) => {
  test.setTimeout(240_000);
  const path = join(folder, "broken.png");
  writeFiducial(path, 1500, 1100, { l0_x: 400, l0_y: 300, radius: 200 });
  const link = await Link.to(new URL(own.service.address).host, { rate: "100mbit", delay: "1ms" });
  try {
    const offsets: number[] = [];
    page.on("request", (request) => {
      if (request.method() === "PATCH") offsets.push(Number(request.headers()["upload-offset"]));
    });
    await page.goto(`http://${link.address}/`);
    const dialog = await open(page, path);
    await dialog.getByLabel("Title").fill("Broken off");
    await dialog.getByRole("radio", { name: "Lossless", exact: true }).check();
    await link.change({ rate: "1mbit" });
    await Promise.all([
      page.waitForRequest((request) => request.method() === "PATCH", PATIENT),
      dialog.getByRole("button", { name: "Encode here, then upload" }).click(),
    ]);
    await link.change({ zero: true });
    await expect.poll(async () => (await link.state()).up_bytes, PATIENT).toBeGreaterThan(200_000);
    const broken = page.waitForEvent("requestfailed", (request) => request.method() === "PATCH");
    await link.change({ listening: false, reset: true }); // a browser that reaches the service sends all of it again
    await broken;
    await link.change({ listening: true, rate: "100mbit" });
    await expect(row(page, "Broken off")).toHaveAttribute("data-phase", "done", PATIENT);
    expect(offsets[0]).toBe(0);
    expect(offsets.slice(1).length).toBeGreaterThan(0);
    for (const offset of offsets.slice(1)) expect(offset).toBeGreaterThan(0);
  } finally {
    link.close();
  }
});
