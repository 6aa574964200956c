// An instructor with an account teaches: a tour of a case for guests, names that cannot be posed as, a case that is shared,
// users from a file, recordings that are found again.
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { drag, saved, tool } from "../harness/annotating.ts";
import { expectNothingSerious } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { slideIsOpen } from "../harness/microscope.ts";
import { signedIn } from "../harness/people.ts";
import { expectFitsScreens } from "../harness/screens.ts";
import { everyoneLeaves, expectSameView, join, people, person, row, startSession, status } from "../harness/session.ts";
import { sharedClinic } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const SLIDE = SLIDES.specimen;
const PATH = `/slides/${SLIDE}`;
const DESKTOP = { width: 1366, height: 768 };
const STILL = { reducedMotion: "reduce" } as const;

const clinic = sharedClinic(SLIDE);
everyoneLeaves();

/** Asks the service as the user of the page. */
async function ask<Answer>(page: Page, method: string, path: string, body?: unknown): Promise<Answer> {
  const answered = await page.evaluate(
    async ([how, at, content]) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`/api/v1${at}`, { method: how, ...(content && { headers, body: content }) });
      return { ok: answer.ok, text: await answer.text() };
    },
    [method, path, body === undefined ? "" : JSON.stringify(body)] as const,
  );
  if (!answered.ok) throw new Error(`${method} ${path}: ${answered.text}`);
  return (answered.text ? JSON.parse(answered.text) : null) as Answer;
}

test("guests see the tour of a case that the presenter plays, for as long as it is played (SE8)", async ({
  browser,
}) => {
  const { context, page } = await signedIn(browser, clinic.service, "ivan", PATH);
  await slideIsOpen(page);
  const { id: course } = await ask<{ id: string }>(page, "POST", "/cases", { title: "Course", slides: [SLIDE] });
  const view = { l0_width: 500, l0_height: 300, rotation: 0, flip: false, plane: 0, adjustments: null };
  const waypoints = [
    { id: "w1", title: "The gland", text: "Two layers", slide: SLIDE, view: { ...view, l0_x: 500, l0_y: 400 } },
    { id: "w2", title: "The rim", text: "One layer", slide: SLIDE, view: { ...view, l0_x: 1500, l0_y: 1200 } },
  ];
  const document = { format: "wavescope-tour", version: 1, title: "Round", text: "", waypoints };
  const tour = await ask<{ id: string }>(page, "POST", `/tours?case=${course}`, document);
  await page.goto(`${clinic.service.address}${PATH}?case=${course}`);
  await slideIsOpen(page);
  const code = await startSession(page, "Ivan");
  const guest = await person(browser, DESKTOP, STILL);
  await join(guest, clinic.service.address, code, "Greta");
  await page.getByRole("button", { name: "Tours", exact: true }).click();
  await page.getByRole("button", { name: "Play Round" }).click();
  for (const title of ["The gland", "The rim"]) {
    await expect(page.getByTestId("tour-player")).toContainText(title);
    await expect(guest.getByTestId("tour-player")).toContainText(title);
    await expect(guest.getByTestId("tour-step")).toHaveText(title === "The gland" ? "1 / 2" : "2 / 2");
    await expectSameView(page, guest);
    if (title === "The gland") await page.getByRole("button", { name: "Next stop" }).click();
  }
  await page.getByRole("button", { name: "End tour" }).click();
  await expect(guest.getByTestId("tour-player")).toHaveCount(0);
  await status(guest, "following");
  expect(await guest.evaluate((id) => fetch(`/api/v1/tours/${id}`).then(({ status: now }) => now), tour.id)).toBe(404);
  await context.close();
});

test("a guest cannot take the name of an account, is marked, and stays the author of what others correct (AC63, AN2)", async ({
  browser,
}) => {
  const { context, page } = await signedIn(browser, clinic.service, "ivan", PATH);
  await slideIsOpen(page);
  await page.getByRole("button", { name: "Start live session" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Start live session" });
  await dialog.getByLabel("Your name").fill("Ivan");
  await dialog.getByLabel("Everyone can annotate").check();
  await dialog.getByRole("button", { name: "Start" }).click();
  const code = (await page.getByTestId("session-code").textContent())!;
  await page.keyboard.press("Escape");

  const guest = await person(browser, DESKTOP, STILL);
  await guest.goto(`${clinic.service.address}/join/${code}`);
  await guest.getByLabel("Your name").fill("iván");
  await guest.getByRole("button", { name: "Join" }).click();
  await expect(guest.getByRole("alert")).toContainText("the name of an account");
  await guest.getByLabel("Your name").fill("Nina");
  await guest.getByRole("button", { name: "Join" }).click();
  await slideIsOpen(guest);
  await people(page);
  await expect(row(page, "Nina")).toContainText("guest");
  await expect(row(page, "Ivan")).not.toContainText("guest");

  await guest.getByRole("button", { name: "Annotations" }).click();
  await saved(guest);
  await tool(guest, "Rectangle").click();
  await drag(guest, [
    [600, 400],
    [900, 700],
  ]);
  await saved(guest);
  await page.getByRole("button", { name: "Annotations" }).click();
  await page.getByTestId("annotation-list").getByRole("option").click();
  await expect(page.getByTestId("annotation-author")).toHaveText("By Nina (guest)");
  await page.getByTestId("annotation-editor").getByLabel("Name").fill("A duct");
  await page.keyboard.press("Enter");
  await saved(page);
  await expect(page.getByTestId("annotation-author")).toHaveText("By Nina (guest), changed by Ivan");
  await expect(guest.getByTestId("annotation-list").getByRole("option")).toContainText("A duct");
  await guest.getByTestId("annotation-list").getByRole("option").click();
  await expect(guest.getByTestId("annotation-author")).toHaveText("By Nina (guest), changed by Ivan");
  await context.close();
});

test("a case marks the slides that are not shared with it, says their names, and keeps their numbers (AC15, AC16, AC20)", async ({
  browser,
}) => {
  const adam = await signedIn(browser, clinic.service, "adam");
  const view = (name: string) => ({ kind: "user", id: name, right: "view" });
  const { users } = await ask<{ users: { id: string; name: string }[] }>(adam.page, "GET", "/users");
  const id = (wanted: string): string => users.find(({ name }) => name === wanted)!.id;
  await ask(adam.page, "PUT", `/slides/${SLIDES.fiducial}/sharing`, { public: false, shares: [view(id("ivan"))] });
  const ivan = await signedIn(browser, clinic.service, "ivan");
  const slides = [SLIDES.fiducial, SLIDE];
  const { id: shared } = await ask<{ id: string }>(ivan.page, "POST", "/cases", { title: "Shared", slides });
  await ask(ivan.page, "PUT", `/cases/${shared}/sharing`, { public: false, shares: [view(id("vera"))] });
  await ivan.page.goto(`${clinic.service.address}/cases/${shared}`);
  const mark = ivan.page.locator(`[data-slide-id=${SLIDES.fiducial}]`).getByTestId("not-shared");
  await expect(mark).toHaveText("Not shared with the case");
  await expect(ivan.page.getByTestId("not-shared")).toHaveCount(1);
  await ivan.page.getByRole("button", { name: "Share", exact: true }).click();
  await expect(ivan.page.getByTestId("unshared")).toContainText("fiducial");
  await expect(ivan.page.getByRole("button", { name: "Change owner" })).toHaveCount(0);
  await expectNothingSerious(ivan.page, "sharing a case");

  const vera = await signedIn(browser, clinic.service, "vera");
  await vera.page.goto(`${clinic.service.address}/cases/${shared}`);
  await expect(vera.page.getByTestId("case-slide")).toHaveCount(1);
  await expect(vera.page.getByTestId("case-slide")).toContainText("2. ");

  await adam.page.goto(`${clinic.service.address}/slides/${SLIDES.fiducial}`);
  await slideIsOpen(adam.page);
  await adam.page.getByRole("button", { name: "Share slide" }).click();
  await expect(adam.page.getByTestId("owner")).toHaveText("Owner: administrators");
  await adam.page.getByRole("button", { name: "Change owner" }).click();
  await adam.page.getByRole("combobox", { name: "New owner" }).fill("Ivan");
  await adam.page.getByRole("option", { name: "Ivan" }).click();
  await expect(adam.page.getByTestId("owner")).toHaveText("Owner: Ivan");
  await vera.page.reload();
  await expect(vera.page.getByTestId("case-slide")).toHaveCount(2);
  await ivan.page.reload();
  await expect(ivan.page.getByTestId("case-slide")).toHaveCount(2);
  await expect(ivan.page.getByTestId("not-shared")).toHaveCount(0);
  for (const { context } of [adam, ivan, vera]) await context.close();
});

test("users come from a spreadsheet, their passwords are not lost, and they are found and changed together (AC61, AC64)", async ({
  browser,
}, info) => {
  const { context, page } = await signedIn(browser, clinic.service, "adam", "/people");
  await expect(page.getByTestId("user").filter({ hasText: "Adam" })).toHaveCount(1);
  const before = await page.getByTestId("user").count();
  await page.getByRole("button", { name: "Import users" }).click();
  const dialog = page.getByRole("dialog", { name: "Import users" });
  const text =
    "name;title;role;groups\r\njm;J\u00f6rg M\u00fcller;viewer;residents, teachers\r\nzo;Zo\u00eb;viewer;\r\n";
  await dialog.locator("input[type=file]").setInputFiles({
    ...{ name: "users.csv", mimeType: "text/csv" },
    buffer: Buffer.from(text, "latin1"),
  });
  await expect(dialog.getByTestId("import-line").first()).toContainText("Jörg Müller");
  await expect(dialog.getByTestId("import-line").first()).toContainText("residents, teachers");
  await dialog.getByRole("button", { name: "Create 2 accounts" }).click();
  await expect(dialog).toContainText("2 accounts created");
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("alert").filter({ hasText: "not stored yet" })).toBeVisible();
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Download passwords" }).click(),
  ]);
  expect(readFileSync(await download.path(), "utf8")).toMatch(/^name,password\njm,\S{10,}\nzo,\S{10,}\n$/);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  await expect(page.getByTestId("user")).toHaveCount(before + 2);
  await page.getByRole("searchbox", { name: "Search users" }).fill("muller");
  await expect(page.getByTestId("user")).toHaveCount(1);
  await page.getByRole("button", { name: "Actions for Jörg Müller" }).click();
  await page.getByRole("menuitem", { name: "Change names" }).click();
  const names = page.getByRole("dialog", { name: "Change names of Jörg Müller" });
  await names.getByLabel("Name", { exact: true }).fill("Jörn Müller");
  await names.getByLabel("Sign-in name").fill("ivan");
  await names.getByRole("button", { name: "Save" }).click();
  await expect(names.getByRole("alert")).toContainText("ivan");
  await names.getByLabel("Sign-in name").fill("joern");
  await names.getByRole("button", { name: "Save" }).click();
  await expect(names).toHaveCount(0);
  await expect(page.getByTestId("user")).toContainText("Jörn Müller");
  await expect(page.getByTestId("user")).toContainText("joern");

  await page.getByRole("checkbox", { name: "Select Jörn Müller" }).check();
  await page.getByRole("searchbox", { name: "Search users" }).fill("");
  await page.getByRole("checkbox", { name: "Select Zoë" }).check();
  const bulk = page.getByRole("region", { name: "Actions for selected users" });
  await expect(bulk).toContainText("2 users selected");
  await bulk.getByLabel("Set role").first().click();
  await page.getByRole("option", { name: "Annotator" }).last().click();
  await expect(page.getByLabel("Role of Zoë").first()).toHaveValue("Annotator");
  await expect(page.getByLabel("Role of Jörn Müller").first()).toHaveValue("Annotator");
  await bulk.getByRole("button", { name: "Block sign-in" }).click();
  await expect(page.getByRole("switch", { name: "Let Zoë sign in" })).not.toBeChecked();
  await expectNothingSerious(page, "users, selected");
  await expectFitsScreens(page, info, "users");
  await bulk.getByRole("button", { name: "Clear selection" }).click();
  await expect(bulk).toHaveCount(0);

  await page.goto(`${clinic.service.address}/audit`);
  const entry = page.getByTestId("audit-entries").getByRole("row").filter({ hasText: "disabled: true" }).first();
  await expect(entry).toContainText("user: zo,");
  await expect(entry).not.toContainText(/[0-9a-f]{32}/);
  await context.close();
});

test("recordings are found in the gallery and on the page of a case (SE39)", async ({ browser }) => {
  const { context, page } = await signedIn(browser, clinic.service, "ivan", PATH);
  await slideIsOpen(page);
  const { id: kept } = await ask<{ id: string }>(page, "POST", "/cases", { title: "With recording", slides: [SLIDE] });
  await startSession(page, "Ivan", { record: true });
  await expect(page.getByTestId("recording-light")).toBeVisible();
  await people(page);
  await page.getByRole("textbox", { name: "A note on this view" }).fill("Look");
  await page.getByRole("button", { name: "Add note" }).click();
  await page.getByRole("button", { name: "Leave the session" }).click();
  await page.getByRole("button", { name: "End for all" }).click();
  await expect(page.getByTestId("session-bar")).toHaveCount(0);
  for (const path of ["/", `/cases/${kept}`]) {
    await page.goto(clinic.service.address + path);
    const recordings = page.getByRole("list", { name: "Recordings" });
    await expect(recordings.getByTestId("recording").first()).toHaveAttribute("data-state", "done");
  }
  await page.getByRole("link", { name: /^Watch/ }).click();
  await expect(page.getByTestId("replay-bar")).toBeVisible();
  await context.close();
});
