// The example of shared/kernel decodes a tile in a page, without any file of ours but the kernel.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PNG } from "pngjs";
import { SLIDES } from "../harness/globalSetup.ts";
import { address } from "../harness/microscope.ts";
import { ROOT } from "../harness/service.ts";
import { expect, test } from "../harness/test.ts";

const EXAMPLE = join(ROOT, "shared/kernel/examples/decode.mjs");

test("the example decodes in a page what the service shows (KE3)", async ({ page }) => {
  await page.goto(address());
  const source = readFileSync(EXAMPLE, "utf8").replace("export async function", "async function");
  const place = JSON.stringify({ level: 0, x: 1, y: 1 });
  const call = `decodeTile(location.origin, ${JSON.stringify(SLIDES.specimen)}, ${place})`;
  const rgba = await page.evaluate<number[]>(
    `(async () => { ${source}\n return Array.from((await ${call}).rgba); })()`,
  );
  const answer = await page.request.get(`${address()}/api/v1/slides/${SLIDES.specimen}/tiles/0/0/1/1.png`);
  expect(Buffer.compare(Buffer.from(rgba), PNG.sync.read(await answer.body()).data)).toBe(0);
});
