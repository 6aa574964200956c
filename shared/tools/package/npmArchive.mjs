// The archive of the npm package, from what `npm run build` has made of it (shared/spec/static.md, SH24).
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stop, at, npm, projectVersion } from "../repository.mjs";

const BUILT = "frontend/dist/package";

/** Writes wavescope-VERSION-npm.tgz to `out` (pip takes the name that npm gives it for an sdist) and answers its path. */
export async function packNpm(out) {
  const described = at(BUILT, "package.json");
  if (!existsSync(described)) throw new Stop(`${BUILT} is not built: npm run build`);
  const [version, its] = [projectVersion(), JSON.parse(readFileSync(described, "utf8")).version];
  if (its !== version) throw new Stop(`${BUILT} has the version ${its}, backend/pyproject.toml has ${version}.`);
  const folder = mkdtempSync(join(tmpdir(), "wavescope-npm-"));
  try {
    const { code, output } = await npm(BUILT, ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder]);
    if (code !== 0) throw new Stop("The npm package could not be packed.", output);
    const archive = join(out, `wavescope-${version}-npm.tgz`);
    copyFileSync(join(folder, `wavescope-${version}.tgz`), archive);
    return archive;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
