// The npm package as its users have it: packed by npm, and installed from the archive alone.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./service.ts";

const BUILT = join(ROOT, "frontend", "dist", "package");

export interface Packed {
  /** Paths inside of the archive. */
  readonly files: readonly string[];
  readonly version: string;
  readonly bytes: number;
  /** The installed package. */
  readonly folder: string;
}

/** A project without packages in the folder `project`. */
function makeProject(project: string): void {
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
}

/** The installed package, in another project: its files are all there is of it. */
export function copyPackage({ folder }: Packed, project: string): void {
  makeProject(project);
  cpSync(folder, join(project, "node_modules", "wavescope"), { recursive: true });
}

/** Installs the package into a project that is made in the folder `project`. No registry is asked. */
export function installPackage(project: string): Packed {
  makeProject(project);
  const npm = (folder: string, ...args: string[]): string =>
    execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const [packed] = JSON.parse(npm(BUILT, "pack", "--json", "--pack-destination", project)) as [
    { filename: string; version: string; size: number; files: { path: string }[] },
  ];
  const quiet = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"];
  npm(project, "install", ...quiet, join(project, packed.filename));
  return {
    files: packed.files.map(({ path }) => path),
    version: packed.version,
    bytes: packed.size,
    folder: join(project, "node_modules", "wavescope"),
  };
}
