// Blocks that the service pushes over a WebSocket make the same picture; behind a proxy that breaks WebSockets everything is shown all the same.
import { type Server, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { TILE, address, counters, expectExact, openSlide } from "../harness/microscope.ts";
import { expect, test, useTransport } from "../harness/test.ts";

test.use({ transport: "push" });

/** Hashes of two fields that are shown one after the other. */
async function fields(page: Page): Promise<string[]> {
  return page.evaluate(async (side) => {
    const hashes = [];
    for (const tile of [1, 3]) {
      await window.__wavescope.viewport.goTo(side * tile, side, 0);
      await window.__wavescope.idle();
      hashes.push(await window.hashOfRgb(window.__wavescope.readCanvas(0, 0, side, side).rgba));
    }
    return hashes;
  }, TILE);
}

async function opened(page: Page, at = address()): Promise<void> {
  await page.setViewportSize({ width: 700, height: 600 });
  await openSlide(page, SLIDES.specimen, at);
}

/** Passes requests on to the service, and no WebSocket. */
async function proxyWithoutSockets(): Promise<Server> {
  const server = createServer((asked, answer) => {
    const { method, headers } = asked;
    const passed = request(new URL(asked.url ?? "/", address()), { method, headers }, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  });
  server.on("upgrade", (_, socket) => socket.destroy());
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

test("pushed blocks make the pixels that batches make, and none is fetched twice (WI119, WI122)", async ({
  page,
  browser,
}) => {
  await opened(page);
  const { blocks: first } = await counters(page); // the first view was requested
  const pushed = await fields(page);
  await expectExact(page);
  const { pushedBlocks, blocks, log } = await counters(page);
  expect(pushedBlocks).toBeGreaterThan((blocks - first) / 2); // on a busy machine the connection may open late, and a batch comes first
  const lines = log.filter((line) => line.startsWith("block "));
  expect(new Set(lines).size).toBe(lines.length);

  const context = await browser.newContext();
  const other = await context.newPage();
  await useTransport(context, "batch");
  await opened(other);
  expect(await fields(other)).toEqual(pushed);
  await context.close();
});

test("behind a proxy that breaks WebSockets everything is shown (WI123)", async ({ page }) => {
  const proxy = await proxyWithoutSockets();
  await opened(page, `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  await fields(page);
  await expectExact(page);
  const { pushedBlocks, batches } = await counters(page);
  expect([pushedBlocks, batches > 0]).toEqual([0, true]);
  proxy.closeAllConnections();
  proxy.close();
});
