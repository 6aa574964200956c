// A page of React with the npm package, made by a bundler as any project would make it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./service.ts";

const MAIN = `
import { createElement as h, useEffect, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { defineViewer } from "wavescope";

defineViewer();

function Viewer({ src }) {
  const viewer = useRef(null);
  const [state, setState] = useState("opening");
  useEffect(() => {
    const ready = (event) => setState("ready: " + event.detail.id);
    viewer.current.addEventListener("ready", ready);
    return () => viewer.current?.removeEventListener("ready", ready);
  }, []);
  return h("div", null, h("wavescope-viewer", { ref: viewer, src, style: { height: "500px" } }), state);
}

function Page() {
  const [open, setOpen] = useState(true);
  const src = new URLSearchParams(location.search).get("src");
  return h("div", null, h("button", { onClick: () => setOpen(false) }, "Close"), open && h(Viewer, { src }));
}

createRoot(document.getElementById("root")).render(h(Page));
`;

/** Writes the built page to `target`. `root`: a project with the installed package. */
export async function makeReactPage(root: string, target: string): Promise<void> {
  const modules = join(ROOT, "frontend", "node_modules");
  writeFileSync(join(root, "main.js"), MAIN);
  writeFileSync(
    join(root, "index.html"),
    `<!doctype html><div id="root"></div><script type="module" src="./main.js"></script>`,
  );
  const vite = (await import(pathToFileURL(join(modules, "vite", "dist", "node", "index.js")).href)) as {
    build(config: object): Promise<unknown>;
  };
  await vite.build({
    configFile: false,
    logLevel: "error",
    root,
    base: "./",
    worker: { format: "es" },
    resolve: {
      alias: {
        "react-dom/client": join(modules, "react-dom", "client.js"),
        react: join(modules, "react"),
      },
    },
    build: { outDir: target, emptyOutDir: true, assetsInlineLimit: 0 },
  });
}
