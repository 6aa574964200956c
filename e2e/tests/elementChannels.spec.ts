// The custom element and the channels of its attribute (SH22), on a page without a service.
import { createHash } from "node:crypto";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PNG } from "pngjs";
import { installHash } from "../harness/microscope.ts";
import { ROOT, Service, removeFolder, temporaryFolder, wavescope } from "../harness/service.ts";
import { expect, test } from "../harness/test.ts";
import { HAS_NGINX, WebServer } from "../harness/webServer.ts";

const SLIDE = "cells";
const folder = temporaryFolder();
let service: Service;

test.skip(!HAS_NGINX, "nginx is not installed");

test.beforeAll(async () => {
  test.setTimeout(240_000);
  const store = join(folder, "store");
  wavescope(store, ["ingest", "specimen:600x512?seed=4&channels=4", "--id", SLIDE, "--quality", "lossless"]);
  service = await Service.start(store);
});

test.afterAll(async () => {
  await service.stop();
  removeFolder(folder);
});

test("SH22: an element shows the channels of its attribute, another mix when that changes, and that of the slide without", async ({
  page,
}) => {
  const out = join(folder, "element");
  cpSync(join(ROOT, "frontend/dist/package"), join(out, "package"), { recursive: true });
  wavescope(join(folder, "store"), ["export", SLIDE, join(out, "slide")]);
  const web = await WebServer.start(out);
  const { digest } = await service.json<{ digest: string }>(`/api/v1/slides/${SLIDE}`);
  const served = async (mix: string | null): Promise<string> => {
    const query = mix === null ? "" : `&channels=${encodeURIComponent(mix)}`;
    const tile = `/api/v1/slides/${SLIDE}/v/${digest}/tiles/0/0/1/1.png?layers=2${query}`;
    const { data } = PNG.sync.read(Buffer.from(await (await fetch(`${service.address}${tile}`)).arrayBuffer()));
    return createHash("sha256")
      .update(data.filter((_, i) => i % 4 !== 3))
      .digest("hex");
  };
  /** Of the tile (1, 1), where the element draws it. */
  const drawn = (): Promise<string> =>
    page.evaluate(() => {
      const canvas = document.querySelector<HTMLCanvasElement>("wavescope-viewer canvas")!;
      return window.hashOfRgb(canvas.getContext("2d")!.getImageData(256, 256, 256, 256).data);
    });
  try {
    await page.addInitScript(installHash);
    const first = "0:0000FF:0-4000:100,3:00FF00:100-3000:80";
    const element = `<wavescope-viewer src="/slide/" channels="${first}" style="width: 600px; height: 512px">`;
    writeFileSync(join(out, "index.html"), `<!doctype html><title>element</title>${element}</wavescope-viewer>`);
    await page.goto(`${web.address}/`);
    await page.evaluate(async () => {
      const { defineViewer } = (await import(new URL("/package/index.js", location.href).href)) as {
        defineViewer(): void;
      };
      const viewer = document.querySelector("wavescope-viewer")!;
      const ready = new Promise((resolve) => viewer.addEventListener("ready", resolve, { once: true }));
      defineViewer();
      await ready;
      viewer.show({ l0_x: 300, l0_y: 256, scale: 1 }, true);
    });
    await expect.poll(drawn).toBe(await served(first));
    const own = await served(null);
    for (const [value, mix] of [
      ["2:FF0000:0-2000:100", "2:FF0000:0-2000:100"],
      ["2:FF0000:0-1500:250,0:FFFFFF:0-9000:100", "2:FF0000:0-1500:250,0:FFFFFF:0-9000:100"],
      ["of no channel", null],
      ["1:FFFF00:0-3000:100", "1:FFFF00:0-3000:100"],
      [null, null],
    ] as const) {
      await page.locator("wavescope-viewer").evaluate((viewer, text) => {
        if (text === null) viewer.removeAttribute("channels");
        else viewer.setAttribute("channels", text);
      }, value);
      await expect.poll(drawn).toBe(mix === null ? own : await served(mix));
    }
  } finally {
    await web.stop();
  }
});
