/** What the build leaves out of OpenSeadragon (bundling/openseadragon.ts), by the package that is installed. */
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";
import { describe, expect, it } from "vitest";
import { UNUSED, definedIn, withoutUnused } from "../../../../bundling/openseadragon";

const path = createRequire(import.meta.url).resolve("openseadragon");
const script = readFileSync(path, "utf8");
const map = JSON.parse(readFileSync(`${path}.map`, "utf8")) as { sources: string[]; sourcesContent: string[] };
const files = new Map(map.sources.map((source, i) => [source.replace(/.*\//, ""), map.sourcesContent[i]!]));

const SOURCES = ["viewer/src", "embed/src", "app/src"].map((folder) =>
  join(import.meta.dirname, "../../../..", folder),
);
const code = SOURCES.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
)
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|testing\.ts$/.test(file))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

describe("the used part of OpenSeadragon", () => {
  it("is the script without the unused files, and still a script (PG7)", () => {
    const used = withoutUnused(script, files, UNUSED) as { code: string };
    const left_out = Object.keys(UNUSED).reduce((sum, name) => sum + files.get(name)!.trim().length, 0);
    expect(used.code.length).toBe(script.length - left_out);
    expect(() => new Script(used.code)).not.toThrow();
  });

  it("has everything that the page names (PG7)", () => {
    const missing = new Set(Object.keys(UNUSED).flatMap((name) => definedIn(files.get(name)!)));
    const named = [...code.matchAll(/\bOpenSeadragon\.(\w+)/g)].map(([, name]) => name);
    expect(named).toContain("DrawerBase");
    expect(named.filter((name) => missing.has(name!))).toEqual([]);
  });

  it("is refused where a file that is used mentions more of an unused one, or less, than was checked (PG7)", () => {
    const more = withoutUnused(`${script}\nnew OpenSeadragon.WebGLDrawer();`, files, UNUSED);
    expect(more).toContain("now uses WebGLDrawer of webgldrawer.js");
    const less = withoutUnused(script, files, { ...UNUSED, "osmtilesource.js": ["OsmTileSource"] });
    expect(less).toContain("now uses OsmTileSource of osmtilesource.js");
  });

  it("is refused where the script is not made of its files (PG7)", () => {
    expect(withoutUnused("minified()", files, UNUSED)).toContain("matrix3.js is not in its script once");
  });
});
