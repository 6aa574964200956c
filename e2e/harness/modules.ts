// Modules of the page by themselves, bundled for a blank page: what cannot be reached from outside is tried in a real browser.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./service.ts";

const NODE_MODULES = join(ROOT, "frontend", "node_modules");

interface Bundler {
  build(config: object): Promise<readonly { readonly output: readonly { readonly code: string }[] }[]>;
}

/** One script that assigns what the modules export to `window.modules`. `paths`: below frontend/. */
export async function bundled(paths: readonly string[]): Promise<string> {
  const { build } = (await import(
    pathToFileURL(join(NODE_MODULES, "vite", "dist", "node", "index.js")).href
  )) as Bundler;
  const entry = "virtual:modules";
  const code = paths.map((path) => `export * from ${JSON.stringify(join(ROOT, "frontend", path))};`).join("\n");
  const [result] = await build({
    configFile: false,
    logLevel: "error",
    root: join(ROOT, "frontend"),
    plugins: [
      {
        name: "modules",
        resolveId: (id: string) => (id.endsWith(entry) ? `\0${entry}` : null), // the bundler makes a path of it
        load: (id: string) => (id === `\0${entry}` ? code : null),
      },
    ],
    build: { write: false, minify: false, lib: { entry, formats: ["iife"], name: "modules" } },
  });
  return result!.output[0]!.code;
}
