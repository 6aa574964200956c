// PostgreSQL is stopped for some seconds while a user annotates and a file is uploaded (OP41, OP46; `npm run e2e:edge`).
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { drag, openAnnotations, saved, show, storedAnnotations, tool } from "../harness/annotating.ts";
import { lookAt, storePicture } from "../harness/looks.ts";
import { slideIsOpen } from "../harness/microscope.ts";
import { writeFiducial } from "../harness/pictures.ts";
import { Postgresql } from "../harness/postgresql.ts";
import { Service, removeFolder, temporaryFolder } from "../harness/service.ts";
import { choose, row, upload } from "../harness/uploading.ts";
import { expect, test } from "../harness/test.ts";

const OUTAGE = 6000; // milliseconds
/** Bytes per second, so that an upload lasts some seconds. */
const UPLOAD_RATE = 1_500_000;

let folder: string;
let database: Postgresql | null;
let service: Service | undefined;

test.beforeAll(async () => {
  database = await Postgresql.start();
  test.skip(database === null, "PostgreSQL is not installed");
  folder = temporaryFolder();
  service = await Service.start(join(folder, "store"), {
    env: { WAVESCOPE_CATALOG: database!.url, WAVESCOPE_DATABASE_REQUEST_SECONDS: "1" },
  });
  writeFiducial(join(folder, "first.png"), 1200, 600, { l0_x: 600, l0_y: 450, radius: 96 });
  writeFiducial(join(folder, "second.png"), 3000, 2400, { l0_x: 600, l0_y: 450, radius: 96 });
});

test.afterAll(async () => {
  await service?.stop();
  await database?.close();
  if (folder) removeFolder(folder);
});

test("without its database the service says so, and nothing that was drawn or sent is lost (OP41, OP46)", async ({
  page,
  context,
}, info) => {
  const { address } = service!;
  await page.goto(address);
  await upload(page, join(folder, "first.png"));
  await expect(row(page, "first.png")).toHaveAttribute("data-phase", "done");
  const [{ id }] = (await service!.json<{ slides: { id: string }[] }>("/api/v1/slides")).slides as [{ id: string }];

  const viewer = await context.newPage();
  await openAnnotations(viewer, id, address);
  await show(viewer, 0, 0, 1200, 900);
  const draw = async (x: number): Promise<void> => {
    await tool(viewer, "Rectangle").click();
    await drag(viewer, [
      [x, 300],
      [x + 100, 400],
    ]);
  };
  await draw(200);
  await saved(viewer);

  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: UPLOAD_RATE,
  });
  await choose(page, join(folder, "second.png"));
  await expect(row(page, "second.png").getByRole("status")).toContainText(/Uploading [1-9]\d?\s?%/);
  await database!.stop();
  const over = sleep(OUTAGE);
  await draw(500);
  const mark = viewer.getByTestId("annotation-save");
  await expect(mark).toHaveText("Not saved. The service does not answer. Trying again.");
  await draw(800);
  expect.soft(await lookAt(viewer, "database-lost")).toEqual([]);
  const other = await context.newPage();
  await other.goto(address);
  await expect(other.getByText("The service does not answer")).toBeVisible();
  for (const [name, shown] of Object.entries({ viewer, other, page }))
    await storePicture(shown, info.outputPath(`database-lost-${name}.png`));
  await over;
  await expect(mark).toHaveAttribute("data-save", "unsaved");
  await expect(row(page, "second.png")).not.toHaveAttribute("data-phase", "failed");
  await database!.restart();

  await expect(row(page, "second.png")).toHaveAttribute("data-phase", "done", { timeout: 60_000 });
  await expect(other.getByTestId("slide-card")).toHaveCount(2);
  await saved(viewer);
  expect(await storedAnnotations(address, id)).toHaveLength(3);
  await viewer.reload();
  await slideIsOpen(viewer);
  await expect.poll(() => viewer.evaluate(() => window.__wavescope.annotations.list().length)).toBe(3);
});
