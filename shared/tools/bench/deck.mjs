// deck.gl with cells of the bench of overlays, all of them in the graphics memory of one page: the peer of bench/overlays.mjs. Its packages are installed when
// they are needed, as bench/deck/package-lock.json has them.
import { cpSync, createReadStream, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Stop, at, npm, run } from "../repository.mjs";

const PAGE = `<!doctype html><body style="margin: 0"><script type="module" src="page.js"></script>`;

/** The script of its page. Raises Stop. */
export async function deckScript(folder) {
  const home = join(folder, "deck");
  cpSync(at("shared/tools/bench/deck"), home, { recursive: true });
  const installed = await npm(".", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: home });
  if (installed.code !== 0) throw new Stop("deck.gl could not be installed.", installed.output);
  const built = await run(join(home, "node_modules/.bin/esbuild"), [
    join(home, "page.mjs"),
    "--bundle",
    "--format=esm",
    "--minify",
    `--outfile=${join(home, "page.js")}`,
  ]);
  if (built.code !== 0) throw new Stop("The page of deck.gl could not be built.", built.output);
  return readFileSync(join(home, "page.js"), "utf8");
}

/** Serves its page, and the corners of cells; gives the address and what ends it. */
export function deckService(script, cells) {
  const service = createServer((request, response) => {
    if (request.url === "/cells") return createReadStream(cells).pipe(response);
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : PAGE);
  });
  return new Promise((resolve) =>
    service.listen(0, "127.0.0.1", () =>
      resolve({ address: `http://127.0.0.1:${service.address().port}`, end: () => service.close() }),
    ),
  );
}
