// What happens to a session when the service or the presenter is lost; and how long a move takes to the screens of others.
import type { Page } from "@playwright/test";
import { drag } from "../harness/annotating.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { idle, openSlide, slideIsOpen } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";
import {
  everyoneLeaves,
  expectSameView,
  join,
  look,
  people,
  person,
  row,
  startSession,
  status,
} from "../harness/session.ts";

declare global {
  interface Window {
    /** When the picture was drawn (milliseconds since 1970), and the centre that it showed. */
    redraws: [number, number][];
  }
}

const own = sharedService();

everyoneLeaves();

async function two(
  browser: Parameters<typeof person>[0],
  slide: string,
): Promise<{ ada: Page; ben: Page; code: string }> {
  const still = { reducedMotion: "reduce" } as const;
  const ada = await person(browser, { width: 1366, height: 768 }, still);
  const ben = await person(browser, { width: 1024, height: 768 }, still);
  await openSlide(ada, slide, own.service.address);
  const code = await startSession(ada, "Ada");
  await join(ben, own.service.address, code, "Ben");
  return { ada, ben, code };
}

test("SE32: the service is killed and started again: everyone is back by themselves, with state and annotations", async ({
  browser,
}) => {
  const { ada, ben } = await two(browser, SLIDES.lossless);
  await look(ada, { l0_x: 700, l0_y: 600, scale: 1 });
  await expectSameView(ada, ben);
  await ada.keyboard.press("q");
  await drag(ada, [
    [600, 500],
    [800, 700],
  ]);
  await expect.poll(() => ben.evaluate(() => window.__wavescope.annotations.list().length)).toBe(1);
  await expect.poll(() => ada.evaluate(() => window.__wavescope.annotations.state().save)).toBe("saved");
  await ben.keyboard.press("h");
  await people(ada);
  await ada.getByRole("textbox", { name: "A note on this view" }).fill("Before the loss");
  await ada.getByRole("button", { name: "Add note" }).click();
  await people(ben);
  await expect(ben.getByTestId("session-notes")).toContainText("Before the loss");

  await own.service.stop("SIGKILL");
  for (const page of [ada, ben]) await status(page, "lost");
  await own.service.startAgain();
  await status(ada, "presenting");
  await status(ben, "following");
  await expect(row(ada, "Ben")).toHaveAttribute("data-present", "true");
  await expect(ada.getByTestId("session-notes")).toContainText("Before the loss");
  await look(ada, { l0_x: 900, l0_y: 800, scale: 1.5 });
  await expectSameView(ada, ben);
  for (const page of [ada, ben])
    expect(await page.evaluate(() => window.__wavescope.annotations.list().length)).toBe(1);
});

test("SE33: a presenter that loads the page anew comes back as the presenter, at the same view", async ({
  browser,
}) => {
  const { ada, ben } = await two(browser, SLIDES.specimen);
  await look(ada, { l0_x: 900, l0_y: 700, scale: 1.25 });
  await expectSameView(ada, ben);
  await ada.waitForURL(/scale=1\.25/);
  await ada.reload();
  await slideIsOpen(ada);
  await status(ada, "presenting");
  await expectSameView(ada, ben);
  await ben.reload();
  await slideIsOpen(ben);
  await status(ben, "following");
  await expectSameView(ada, ben);
});

test("the presenter's move is on a follower's screen soon: the median is printed", async ({ browser }, info) => {
  const { ada, ben } = await two(browser, SLIDES.specimen);
  for (const page of [ada, ben]) await page.emulateMedia({ reducedMotion: "no-preference" });
  await look(ada, { l0_x: 500, l0_y: 500, scale: 1 });
  await expectSameView(ada, ben);
  await ben.evaluate(() => {
    const seen: [number, number][] = [];
    window.redraws = seen;
    window.__wavescope.afterDraw(() => {
      const { l0_x, l0_width } = window.__wavescope.viewport.state();
      seen.push([performance.timeOrigin + performance.now(), l0_x + l0_width / 2]);
    });
  });
  const delays: number[] = [];
  for (let i = 1; i <= 25; i += 1) {
    const l0_x = 500 + 8 * i;
    const moved = await ada.evaluate((to) => {
      const now = performance.timeOrigin + performance.now();
      window.__wavescope.viewport.show({ l0_x: to }, true);
      return now;
    }, l0_x);
    const drawn = await ben.waitForFunction((to) => window.redraws.find(([, x]) => Math.abs(x - to) < 0.5)?.[0], l0_x);
    delays.push(Number(await drawn.jsonValue()) - moved);
  }
  delays.sort((a, b) => a - b);
  const median = delays[12]!;
  info.annotations.push({
    type: "median milliseconds from a move to a follower's redraw",
    description: median.toFixed(1),
  });
  console.log(
    `session: median ${median.toFixed(1)} ms from a move to a follower's redraw (slowest ${delays.at(-1)!.toFixed(1)} ms)`,
  );
  expect(median).toBeLessThan(2000);
});

test("a follower fetches the blocks of the presenter's field itself, layer 0 first", async ({ browser }) => {
  const { ada, ben } = await two(browser, SLIDES.large);
  await look(ada, { l0_x: 4000, l0_y: 3000, scale: 0.5 });
  await expectSameView(ada, ben);
  await idle(ben);
  await ben.evaluate(() => window.__wavescope.resetCounters());
  await look(ada, { l0_x: 6500, l0_y: 5200, scale: 1 });
  await expectSameView(ada, ben);
  await idle(ben);
  const { log } = await ben.evaluate(() => window.__wavescope.counters());
  const asked = log.flatMap((line) => /^block (\d+\/0\/0\/\d+\/\d+) (\d+)-(\d+)$/.exec(line)?.slice(1) ?? []);
  const ranges = Array.from({ length: asked.length / 3 }, (_, i) => ({
    block: asked[3 * i]!,
    from: Number(asked[3 * i + 1]),
    to: Number(asked[3 * i + 2]),
  }));
  expect(ranges.length, log.join("\n")).toBeGreaterThan(0);
  const first = new Map<string, { from: number; to: number }>();
  for (const { block, ...range } of ranges) if (!first.has(block)) first.set(block, range);
  expect(
    [...first.values()].every(({ from, to }) => from === 0 && to === 1),
    log.join("\n"),
  ).toBe(true);
});
