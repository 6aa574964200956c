// Viv on the OME-Zarr that the service makes of a slide of channels: the peer of bench/channels.mjs. Its packages are installed when they are needed, as
// bench/viv/package-lock.json has them.
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Stop, at, npm, run } from "../repository.mjs";

const PAGE = `<!doctype html><body style="margin: 0"><script type="module" src="page.js"></script>`;

/** The script of its page. Raises Stop. */
export async function vivScript(folder) {
  const home = join(folder, "viv");
  cpSync(at("shared/tools/bench/viv"), home, { recursive: true });
  const installed = await npm(".", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: home });
  if (installed.code !== 0) throw new Stop("Viv could not be installed.", installed.output);
  const built = await run(join(home, "node_modules/.bin/esbuild"), [
    join(home, "page.mjs"),
    "--bundle",
    "--format=esm",
    "--minify",
    `--outfile=${join(home, "page.js")}`,
  ]);
  if (built.code !== 0) throw new Stop("The page of Viv could not be built.", built.output);
  return readFileSync(join(home, "page.js"), "utf8");
}

/** Its page, with a slide at these places of the middle of the view; `page.evaluate` calls `benchViv`. */
export async function vivPage(context, { address, slide, script, channels, centre }) {
  const page = await context.newPage();
  await page.route(`${address}/viv/**`, (route) => {
    const isScript = route.request().url().endsWith(".js");
    return route.fulfill(
      isScript ? { contentType: "text/javascript", body: script } : { contentType: "text/html", body: PAGE },
    );
  });
  await page.goto(`${address}/viv/`);
  await page.waitForFunction(() => window.benchViv);
  const zarr = `${address}/api/v1/slides/${slide}/ome.zarr`;
  await page.evaluate((all) => window.benchViv.open(...all), [zarr, channels, centre]);
  return page;
}
