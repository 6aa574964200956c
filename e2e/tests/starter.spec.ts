// A page of one's own, as `npx wavescope FOLDER` writes it (SH35): with Vite's server and built, with a slide's address and without.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SLIDES } from "../harness/globalSetup.ts";
import { type Packed, copyPackage, installPackage } from "../harness/npmPackage.ts";
import { ROOT, removeFolder, temporaryFolder, wavescope } from "../harness/service.ts";
import { expect, test } from "../harness/test.ts";

interface Server {
  readonly resolvedUrls: { readonly local: readonly string[] };
  listen(): Promise<Server>;
  close(): Promise<void>;
}
interface Vite {
  createServer(config: object): Promise<Server>;
  build(config: object): Promise<unknown>;
  preview(config: object): Promise<Server>;
}

const VITE = join(ROOT, "frontend/node_modules/vite");
const folder = temporaryFolder();
const file = join(folder, "liver.wsz");
let packed: Packed;
let vite: Vite;

test.beforeAll(async () => {
  packed = installPackage(join(folder, "install"));
  vite = (await import(pathToFileURL(join(VITE, "dist/node/index.js")).href)) as Vite;
  const store = join(folder, "store");
  wavescope(store, ["ingest", "specimen:1200x900?seed=3", "--id", "liver"]);
  wavescope(store, ["export", "liver", file]);
});

test.afterAll(() => removeFolder(folder));

const create = (...args: string[]) =>
  spawnSync("node", [join(packed.folder, "create.mjs"), ...args], { cwd: folder, encoding: "utf8" });

/** The page in `name`, with what `npm install` would bring. */
function created(name: string, ...slide: string[]): string {
  expect(create(name, ...slide)).toMatchObject({ status: 0, stderr: "" });
  const project = join(folder, name);
  const written = join(project, "package.json");
  const { dependencies, devDependencies } = JSON.parse(readFileSync(written, "utf8")) as Record<string, object>;
  expect(dependencies).toEqual({ wavescope: `^${packed.version}` });
  expect(Object.keys(devDependencies!)).toEqual(["vite"]);
  renameSync(written, `${written}.kept`);
  copyPackage(packed, project);
  renameSync(`${written}.kept`, written);
  symlinkSync(VITE, join(project, "node_modules/vite"));
  return project;
}

test("without an address the page opens a file of its reader, by Vite's server and built (SH35)", async ({ page }) => {
  const root = created("page");
  const quiet = { root, logLevel: "error" };
  await vite.build(quiet);
  for (const server of [
    await (await vite.createServer({ ...quiet, server: { host: "127.0.0.1" } })).listen(),
    await vite.preview({ ...quiet, preview: { host: "127.0.0.1" } }),
  ])
    try {
      await page.goto(server.resolvedUrls.local[0]!);
      const input = page.getByLabel("Open a .wsz file");
      await input.setInputFiles({ name: "text.wsz", mimeType: "", buffer: Buffer.from("no slide") });
      await expect(page.locator("output")).toHaveText(/not an archive of Wavescope/);
      await input.setInputFiles(file);
      await expect(page.locator("wavescope-viewer canvas").first()).toBeVisible();
      await expect(page.locator("output")).toBeEmpty();
    } finally {
      await server.close();
    }
});

test("with an address the page shows that slide (SH35)", async ({ page }) => {
  const root = created("a slide", "/liver.wsz?x=1&y");
  mkdirSync(join(root, "public"));
  cpSync(file, join(root, "public/liver.wsz"));
  const server = await (await vite.createServer({ root, logLevel: "error", server: { host: "127.0.0.1" } })).listen();
  try {
    await page.goto(server.resolvedUrls.local[0]!);
    await expect(page.locator("wavescope-viewer canvas").first()).toBeVisible();
    await expect(page.getByLabel("Open a .wsz file")).toHaveCount(0);
  } finally {
    await server.close();
  }
});

test("a folder that is not empty is left as it is, and a wrong call says how (SH35)", () => {
  mkdirSync(join(folder, "full"));
  writeFileSync(join(folder, "full/index.html"), SLIDES.specimen);
  expect(create("full")).toMatchObject({ status: 2, stderr: "full is not empty: name a new folder.\n" });
  expect(readdirSync(join(folder, "full"))).toEqual(["index.html"]);
  for (const args of [[], ["--wrong"], ["a", "b", "c"]]) {
    const { status, stdout } = create(...args);
    expect({ status, usage: stdout.startsWith("usage: npx wavescope FOLDER [SLIDE]") }).toEqual({
      status: 2,
      usage: true,
    });
  }
  expect(execFileSync("node", [join(packed.folder, "create.mjs"), "--help"], { encoding: "utf8" })).toContain("usage");
});
