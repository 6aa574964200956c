// A session that was recorded: replayed in the viewer to the views that were sent, and made into a tour that plays.
import type { Page } from "@playwright/test";
import { drag, list, openAnnotations, saved, show, tool } from "../harness/annotating.ts";
import { expectNothingSerious } from "../harness/axe.ts";
import { controls } from "../harness/controls.ts";
import { faultsInSight } from "../harness/faultsInSight.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { openSlide, slideIsOpen } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expectFitsScreens } from "../harness/screens.ts";
import { expect, test } from "../harness/test.ts";
import { type Seen, apart, look, people, seen, startSession, status } from "../harness/session.ts";

const own = sharedService();

test.use({ contextOptions: { reducedMotion: "reduce" }, viewport: { width: 1366, height: 768 } });

interface Entry {
  readonly time: number;
  readonly kind: string;
  readonly views?: readonly { readonly view: Seen }[];
  readonly event?: { readonly kind: string };
}

async function noteAt(page: Page, l0_x: number, l0_y: number, rotation: number, words: string): Promise<void> {
  await look(page, { l0_x, l0_y, scale: 1, rotation });
  await page.getByRole("textbox", { name: "A note on this view" }).fill(words);
  await page.getByRole("button", { name: "Add note" }).click();
  await expect(page.getByTestId("session-notes")).toContainText(words);
}

test("SE38, SE40: a recorded session replays to the same views, and a tour made of it plays", async ({
  page,
}, info) => {
  await openSlide(page, SLIDES.specimen, own.service.address);
  await startSession(page, "Ada", { record: true });
  await status(page, "presenting");
  await expect(page.getByTestId("recording-light")).toBeVisible();
  await people(page);
  const places = [
    [600, 500, 0],
    [1400, 1100, 30],
    [2100, 1600, 270],
  ] as const;
  for (const [i, [x, y, rotation]] of places.entries()) await noteAt(page, x, y, rotation, `Stop ${i + 1}`);
  await page.getByRole("button", { name: "Stop recording" }).click();
  await expect(page.getByTestId("recording-light")).toHaveCount(0);
  await page.getByRole("button", { name: "Leave the session" }).click();
  await page.getByRole("button", { name: "End for all" }).click();
  await expect(page.getByTestId("session-bar")).toHaveCount(0);

  await expect
    .poll(
      async () =>
        (await own.service.json<{ recordings: { state: string }[] }>("/api/v1/recordings")).recordings[0]?.state,
    )
    .toBe("done");
  await page.goto(own.service.address);
  await expect(page.getByRole("list", { name: "Recordings" })).toBeVisible();
  expect(await page.evaluate(faultsInSight)).toEqual([]);
  await page.goBack();
  await slideIsOpen(page);
  await page
    .getByRole("list", { name: "Recordings" })
    .getByRole("link", { name: /^Watch/ })
    .click();
  await expect(page.getByTestId("replay-bar")).toBeVisible();
  await slideIsOpen(page);
  const id = new URL(page.url()).searchParams.get("recording")!;
  const { entries } = await own.service.json<{ entries: Entry[] }>(`/api/v1/recordings/${id}/entries?chunk=0`);
  const sent = entries.filter(({ kind }) => kind === "views");
  expect(sent.length).toBeGreaterThanOrEqual(3);
  const seek = page.getByTestId("replay-seek");
  for (const { time, views } of [sent.at(-1)!, sent[0]!, sent[Math.floor(sent.length / 2)]!]) {
    await seek.fill(String(Math.min(100 * Math.ceil(time / 100), Number(await seek.getAttribute("max")))));
    const wanted = entries
      .filter((entry) => entry.kind === "views" && entry.time <= 100 * Math.ceil(time / 100))
      .at(-1)!.views![0]!.view;
    const field = { ...wanted, l0_x: wanted.l0_x - wanted.l0_width / 2, l0_y: wanted.l0_y - wanted.l0_height / 2 };
    await expect.poll(async () => apart(field, await seen(page)), { message: JSON.stringify(views) }).toBeLessThan(1);
    expect((await seen(page)).rotation).toBeCloseTo(wanted.rotation, 6);
  }
  const panel = page.getByTestId("side-panel").getByRole("group", { name: "Live session, contents" });
  expect((await controls(panel))[0], "the panel leads with what the viewer does").toBe("Play");
  await expect(panel.getByRole("button", { name: "Invite" })).toHaveCount(0);
  await panel.getByLabel("Speed").selectOption("8");
  await seek.fill("0");
  const bar = page.getByTestId("replay-bar");
  await expect(bar.getByLabel("Speed")).toHaveValue("8");
  await panel.getByRole("button", { name: "Play" }).click();
  await expect(bar.getByRole("button", { name: "Play" })).toBeVisible(); // at the end it stops by itself
  await expectNothingSerious(page, "replay");
  await expectFitsScreens(page, info, "replay");

  await page.getByRole("button", { name: "Create tour" }).click();
  const player = page.getByTestId("tour-player");
  await expect(player).toContainText("Stop 1"); // the slide of the replay is gone
  await slideIsOpen(page);
  await page.getByTestId("side-panel").getByRole("button", { name: "Close" }).click(); // a stop comes to the middle of what no panel covers
  for (const [key, i] of [
    ["n", 1],
    ["n", 2],
    ["p", 1],
    ["p", 0],
  ] as const) {
    const [x, y] = places[i];
    await page.keyboard.press(key);
    await expect(player).toContainText(`Stop ${i + 1}`);
    await expect
      .poll(async () => {
        const view = await seen(page);
        return Math.hypot(view.l0_x + view.l0_width / 2 - x, view.l0_y + view.l0_height / 2 - y);
      })
      .toBeLessThan(1);
  }
});

/** The panel of annotations, whichever is open. */
async function showPanel(page: Page): Promise<void> {
  const button = page.locator("#open-annotations");
  if ((await button.getAttribute("aria-expanded")) !== "true") await button.click();
  await expect(page.getByTestId("annotation-tools")).toBeVisible();
}

test("SE38: a replay shows the annotations of its time, not those of today, and changes none", async ({ page }) => {
  const slide = SLIDES.fiducial;
  await openAnnotations(page, slide, own.service.address);
  await show(page, 400, 300, 800, 600);
  const draw = async (name: string, x: number): Promise<void> => {
    await tool(page, "Rectangle").click();
    await drag(page, [
      [x, 400],
      [x + 100, 500],
    ]);
    await page.getByTestId("annotation-editor").getByLabel("Name").fill(name);
    await page.keyboard.press("Enter");
    await saved(page);
  };
  await draw("before", 450);
  await startSession(page, "Ada", { record: true });
  await expect(page.getByTestId("recording-light")).toBeVisible();
  const recorded = async (name: string): Promise<void> => {
    const entries = async () => {
      const { recordings } = await own.service.json<{ recordings: { id: string; state: string }[] }>(
        "/api/v1/recordings",
      );
      const running = recordings.find(({ state }) => state === "running");
      return running ? own.service.json(`/api/v1/recordings/${running.id}/entries?chunk=0`).catch(() => "") : "";
    };
    await expect.poll(async () => JSON.stringify(await entries())).toContain(`"name":"${name}"`);
  };
  await recorded("before");
  await showPanel(page);
  await draw("during", 650);
  await recorded("during");
  await page.getByRole("button", { name: "Leave the session" }).click();
  await page.getByRole("button", { name: "End for all" }).click();
  await expect(page.getByTestId("session-bar")).toHaveCount(0);
  await draw("after", 850);
  await page.getByRole("option", { name: "before" }).click();
  await page.getByRole("button", { name: "Delete selected" }).click();
  await saved(page);
  const names = async (): Promise<string[]> => (await list(page)).map(({ name }) => name).sort();
  expect(await names()).toEqual(["after", "during"]);

  await page.goto(own.service.address);
  await page.getByRole("link", { name: /^Watch fiducial/i }).click();
  await expect(page.getByTestId("replay-bar")).toBeVisible();
  await slideIsOpen(page);
  const seek = page.getByTestId("replay-seek");
  await seek.fill((await seek.getAttribute("max"))!);
  await expect.poll(names).toEqual(["before", "during"]);
  await seek.fill("0");
  await expect.poll(names).toEqual(["before"]);
  await showPanel(page);
  await expect(page.getByTestId("annotation-list").getByRole("option")).toHaveCount(1);
  await expect(tool(page, "Rectangle")).toHaveCount(0);
  await page.getByRole("button", { name: "Close recording" }).click();
  await expect.poll(names).toEqual(["after", "during"]);
});
