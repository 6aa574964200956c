import type { Plugin } from "vite";
import { expect, it } from "vitest";
import { textsWithCode } from "../../../bundling/texts";

type Hook = (this: object, ...args: unknown[]) => unknown;
const call = (plugin: Plugin, hook: "configResolved" | "load" | "transform", ...args: unknown[]): unknown =>
  (plugin[hook] as Hook).call({}, ...args);

function plugin(command: "build" | "serve"): Plugin {
  const made = textsWithCode();
  call(made, "configResolved", { command });
  return made;
}

const CODE = 'const a = t("common.slides", { count }); const b = t("common.close"); const c = "common.none" + "x.y";';
const imports = (transformed: unknown): string[] =>
  [...(transformed as { code: string }).code.matchAll(/import "virtual:texts\/([^"]+)"/g)].map(([, name]) => name!);

it("imports the texts that a module names, and no other, into a build (PG5)", () => {
  const built = plugin("build");
  expect(imports(call(built, "transform", CODE, "/x/app/src/a.tsx"))).toEqual(["common.slides", "common.close"]);
  expect(call(built, "load", "\0virtual:texts/common.slides")).toContain(
    'addText("common.slides_one", "{{count}} slide");\naddText("common.slides_other", "{{count}} slides");',
  );
});

it("imports whole areas elsewhere", () => {
  expect(imports(call(plugin("serve"), "transform", CODE, "/x/app/src/a.tsx"))).toEqual(["common"]);
});
