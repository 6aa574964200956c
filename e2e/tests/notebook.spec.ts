// A slide in JupyterLab: the widget reads it through the kernel, and its traits go both ways (shared/spec/notebook.md).
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { PYTHON, removeFolder, temporaryFolder } from "../harness/service.ts";
import { expect, pageless as test } from "../harness/test.ts";

const TOKEN = "of-the-test";
const STARTING = 120_000; // milliseconds
const ROWS = 1_000_000;
const MOST = 3000; // milliseconds until they are drawn

const CELLS = [
  `import time, wavescope, numpy as np, pandas as pd
viewer = wavescope.show("${process.env.WAVESCOPE_E2E_STORE}/${SLIDES.specimen}")
viewer`,
  `random = np.random.default_rng(7)
width, height = viewer.slide.dimensions
cells = pd.DataFrame({"x": random.uniform(0, width, ${ROWS}), "y": random.uniform(0, height, ${ROWS}),
                      "kind": random.choice(["a", "b", "c"], ${ROWS})})
print("made")`,
  `viewer.show_points(cells, colour="kind")`,
  `viewer.view = {"l0_x": 1000, "l0_y": 800, "scale": 1}`,
  `print("view", *(round(viewer.view[name]) for name in ("l0_x", "l0_y", "scale")), "annotations", [one["kind"] for one in viewer.annotations], "rows", len(viewer.selection) > 10)`,
];

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

let folder: string;
let lab: ChildProcess;
let address: string;

test.beforeAll(async () => {
  test.setTimeout(STARTING);
  folder = temporaryFolder();
  const cell = (source: string, i: number) => ({
    ...{ cell_type: "code", id: `c${i}`, execution_count: null, metadata: {}, outputs: [], source },
  });
  const metadata = { kernelspec: { display_name: "Python 3", language: "python", name: "python3" } };
  const notebook = { cells: CELLS.map(cell), metadata, nbformat: 4, nbformat_minor: 5 };
  writeFileSync(join(folder, "slide.ipynb"), JSON.stringify(notebook));
  const port = await freePort();
  const own = ["CONFIG", "DATA", "RUNTIME"].map((name) => [`JUPYTER_${name}_DIR`, join(folder, name)] as const);
  const env = { ...process.env, ...Object.fromEntries(own), IPYTHONDIR: join(folder, "ipython"), HOME: folder };
  const options = [`--ServerApp.root_dir=${folder}`, `--port=${port}`, "--no-browser", "--allow-root"];
  const quiet = ["--ServerApp.port_retries=0", `--IdentityProvider.token=${TOKEN}`];
  lab = spawn(PYTHON, ["-m", "jupyterlab", ...options, ...quiet], { env, stdio: "ignore" });
  address = `http://127.0.0.1:${port}`;
  await expect
    .poll(
      () =>
        fetch(`${address}/api/status?token=${TOKEN}`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: STARTING },
    )
    .toBe(true);
});

test.afterAll(async () => {
  await fetch(`${address}/api/shutdown?token=${TOKEN}`, { method: "POST" }).catch(() => undefined); // its kernels, too
  if (lab.exitCode === null) await new Promise((resolve) => lab.once("exit", resolve));
  removeFolder(folder);
});

/** Runs the next cell; resolves when it has run. */
async function runNext(page: Page, number: number): Promise<Locator> {
  const cell = page.locator(".jp-Notebook .jp-Cell").nth(number);
  await cell.locator(".jp-InputArea-editor").click();
  await page.keyboard.press("Shift+Enter");
  await expect(cell.locator(".jp-InputPrompt")).toHaveText(`[${number + 1}]:`, { timeout: 60_000 });
  return cell;
}

test("a slide is seen, annotated and covered with a million points in JupyterLab (NB2, NB3, NB4, NB5)", async ({
  page,
}) => {
  test.setTimeout(240_000);
  await page.setViewportSize({ width: 1366, height: 1100 });
  await page.goto(`${address}/lab/tree/slide.ipynb?token=${TOKEN}`);
  await page.locator(".jp-Notebook .jp-Cell").first().waitFor({ timeout: STARTING });
  await page.getByText("Python 3 (ipykernel) | Idle").waitFor({ timeout: STARTING });

  const first = await runNext(page, 0);
  const viewer = first.locator(".wavescope");
  const state = viewer.locator(".wavescope-state");
  await expect(state).toHaveText("Fully loaded", { timeout: 60_000 });
  await expect(viewer.locator("img")).toHaveCount(0); // the picture that stood for it

  await runNext(page, 1);
  await page.evaluate(() => performance.mark("asked"));
  await runNext(page, 2);
  await expect
    .poll(() => viewer.getByTestId("points-canvas").evaluate((one: HTMLCanvasElement) => one.width))
    .toBeGreaterThan(300);
  const spent = await page.evaluate(() => performance.now() - performance.getEntriesByName("asked")[0]!.startTime);
  console.log(`${ROWS} points after ${Math.round(spent)} ms, with the pressing of keys`);
  expect(spent).toBeLessThan(MOST);
  if (process.env.WAVESCOPE_SCREENSHOTS) await page.screenshot({ path: "test-results/notebook-points.png" });

  await runNext(page, 3);
  await expect(state).toHaveText("Fully loaded", { timeout: 60_000 });
  const box = (await viewer.boundingBox())!;
  const at = (x: number, y: number): [number, number] => [box.x + x * box.width, box.y + y * box.height];
  const drag = async (from: [number, number], to: [number, number]): Promise<void> => {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 5 });
    await page.mouse.up();
  };
  await viewer.getByRole("button", { name: "Select points in a box" }).click();
  await drag(at(0.3, 0.3), at(0.4, 0.5));
  await viewer.getByRole("button", { name: "Rectangle" }).click();
  await drag(at(0.5, 0.3), at(0.7, 0.6));
  await expect(viewer.getByRole("button", { name: "Select", exact: true })).toHaveAttribute("aria-pressed", "true");
  await page.waitForTimeout(3000); // what is drawn is saved a moment later
  if (process.env.WAVESCOPE_SCREENSHOTS) await page.screenshot({ path: "test-results/notebook-annotated.png" });
  const last = await runNext(page, 4);
  await expect(last.locator(".jp-OutputArea-output")).toHaveText("view 1000 800 1 annotations ['rectangle'] rows True");
});
