import type { Plugin } from "vite";

const STARTED =
  /new Worker\(new URL\("(\.\/[\w/]+\.ts)", import\.meta\.url\), \{ type: "module", (name: "[\w-]+") \}\)/g;

/** Workers inside of the module that starts them: for a build of one file, which has no address that others are beside. */
export function inlineWorkers(): Plugin {
  return {
    name: "wavescope-inline-workers",
    enforce: "pre",
    transform(code, id) {
      if (!/\/src\/.*\.ts$/.test(id) || !code.includes("new Worker(")) return null;
      const imports: string[] = [];
      const inlined = code.replace(STARTED, (_, path: string, name: string) => {
        imports.push(`import Inline${imports.length} from "${path}?worker&inline";`);
        return `new Inline${imports.length - 1}({ ${name} })`;
      });
      if (imports.length === 0) throw new Error(`${id}: a worker is started in another way than the build knows`);
      return { code: imports.join("") + inlined, map: null };
    },
  };
}
