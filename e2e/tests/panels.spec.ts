// Each panel leads with what its user does most; what only few need comes last.
import { controls } from "../harness/controls.ts";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { openSlide } from "../harness/microscope.ts";

test("image adjustments begin with the background and end with the colour profile", { tag: "@static" }, async ({
  page,
}) => {
  await openSlide(page, SLIDES.profiled);
  await page.getByRole("button", { name: "Image adjustments", exact: true }).click();
  await expect(page.getByTestId("profile")).not.toHaveAttribute("data-state", "asking");
  const names = await controls(page.getByTestId("light-panel"));
  expect(names.slice(0, 2)).toEqual(["Pick background", "Use centre of view"]);
  expect(names.at(-1)).toBe("Scanner colour profile (ICC)");
});

test("the live session begins with its start, and within it with inviting and pausing", async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  await page.getByTestId("panel-rail").getByRole("button", { name: "Live session", exact: true }).click();
  const panel = page.getByTestId("side-panel").getByRole("group", { name: "Live session, contents" });
  await expect(panel).toHaveText(/^Start live session/);
  await panel.getByRole("button", { name: "Start live session" }).click();
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await expect(page.getByTestId("session-code")).toBeVisible();
  await page.keyboard.press("Escape");
  expect((await controls(panel)).slice(0, 2)).toEqual(["Invite", "Pause"]);
  const [invite, members] = [panel.getByRole("button", { name: "Invite" }), panel.getByTestId("session-members")];
  expect((await invite.boundingBox())!.y).toBeLessThan((await members.boundingBox())!.y);
});

test("rotating begins with quarter turns, and coverage with showing them", { tag: "@static" }, async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  await page.getByTestId("rotation").click();
  await expect.poll(async () => (await controls(page.getByRole("dialog")))[0]).toBe("Rotate left by 90°");
  await page.keyboard.press("Escape");
  const before = await page.getByRole("button", { name: "Coverage", exact: true }).boundingBox();
  const coverage = page.getByRole("group", { name: "Coverage" });
  await coverage.getByRole("button", { name: "Coverage", exact: true }).click();
  await expect(coverage.getByRole("button")).toHaveCount(5);
  await expect(coverage.getByRole("button").first()).toHaveAccessibleName("Coverage");
  expect(await coverage.getByRole("button").first().boundingBox(), "pressed again it is still there").toEqual(before);
});

test("a panel is opened at its beginning, however far the one before was scrolled", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openSlide(page, SLIDES.specimen);
  await page.getByRole("button", { name: "Slide information", exact: true }).click();
  await page.getByTestId("traffic-history").scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "Image adjustments", exact: true }).click();
  await expect(page.getByRole("button", { name: "Pick background" })).toBeInViewport();
});

for (const [name, viewport, rotation] of [
  ["desktop", { width: 1920, height: 1080 }, 0],
  ["laptop", { width: 1366, height: 768 }, 0],
  ["laptop, turned", { width: 1366, height: 768 }, 90],
  ["tablet", { width: 820, height: 1180 }, 0],
  ["phone", { width: 390, height: 844 }, 0],
] as const) {
  test(`a panel lies over the tissue and moves nothing (${name}, PG80)`, { tag: "@static" }, async ({ page }) => {
    await page.setViewportSize(viewport);
    await openSlide(page, SLIDES.specimen);
    await page.evaluate(
      (degrees) => window.__wavescope.viewport.show({ l0_x: 1400, l0_y: 1100, scale: 0.5, rotation: degrees }, true),
      rotation,
    );
    const centre = () => page.evaluate(() => window.__wavescope.annotations.inViewer(1400, 1100));
    const canvas = () => page.getByTestId("viewer").boundingBox();
    const [before, box] = [await centre(), await canvas()];
    await page.getByTestId("panel-rail").getByRole("button", { name: "Bookmarks" }).click();
    await expect(page.getByTestId("side-panel")).toBeVisible();
    expect([await centre(), await canvas()]).toEqual([before, box]);
    const panel = (await page.getByTestId("side-panel").boundingBox())!;
    const lies = await page.evaluate(
      ([x, y]) => document.elementFromPoint(x!, y!)!.closest("#side-panel") !== null,
      [panel.x + panel.width / 2, panel.y + panel.height / 2],
    );
    expect(lies).toBe(true);
    await page.getByRole("button", { name: "Close bookmarks" }).click();
    expect([await centre(), await canvas()]).toEqual([before, box]);
  });
}

for (const [name, viewport] of [
  ["desktop", { width: 1920, height: 1080 }],
  ["laptop", { width: 1366, height: 768 }],
  ["tablet", { width: 820, height: 1180 }],
  ["phone", { width: 390, height: 844 }],
] as const) {
  test(`the whole slide comes exactly to the middle of the part that no panel covers (${name}, PG80)`, {
    tag: "@static",
  }, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.setViewportSize(viewport);
    await openSlide(page, SLIDES.specimen, undefined, "#x=1400&y=1100&scale=0.5");
    await page.getByTestId("panel-rail").getByRole("button", { name: "Bookmarks" }).click();
    const [viewer, panel] = [
      (await page.getByTestId("viewer").boundingBox())!,
      (await page.getByTestId("side-panel").boundingBox())!,
    ];
    const free =
      panel.width < viewer.width
        ? { width: viewer.width - panel.width, height: viewer.height }
        : { width: viewer.width, height: viewer.height - panel.height };
    const { width, height } = await page.evaluate(() => window.__wavescope.slide());
    for (const [rotation, flip] of [
      [0, false],
      [90, true],
      [30, false],
    ] as const) {
      await page.evaluate(
        (turn) => window.__wavescope.viewport.show({ l0_x: 1400, l0_y: 1100, scale: 0.5, ...turn }, true),
        { rotation, flip },
      );
      await page.getByTestId("viewer").focus();
      await page.keyboard.press("0");
      await page.evaluate(() => window.__wavescope.idle());
      const corners = await page.evaluate(
        ([w, h]) =>
          [
            [0, 0],
            [w, 0],
            [0, h],
            [w, h],
          ].map(([x, y]) => window.__wavescope.annotations.inViewer(x!, y!)),
        [width, height] as const,
      );
      const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
      const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      const turned = `turned by ${rotation}, mirrored: ${String(flip)}`;
      expect(Math.abs((left + right - free.width) / 2), turned).toBeLessThan(0.51);
      expect(Math.abs((top + bottom - free.height) / 2), turned).toBeLessThan(0.51);
      const filled = Math.max((right - left) / free.width, (bottom - top) / free.height);
      expect(Math.abs(filled - 1), turned).toBeLessThan(0.005);
    }
  });
}
