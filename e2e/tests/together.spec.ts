// Two people annotate one slide together: comments, mentions, unread marks, locks, colours of authors, undo beside others' changes.
import type { Browser, Page } from "@playwright/test";
import { expectNothingSerious, expectNothingSeriousInEither } from "../harness/axe.ts";
import { drag, list, openAnnotations, saved, show, state, tool } from "../harness/annotating.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { type Name, signedIn } from "../harness/people.ts";
import { sharedClinic } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const SLIDE = SLIDES.large;
const DESKTOP = { width: 1366, height: 768 };
const PHONE = { width: 390, height: 844 };

const clinic = sharedClinic(SLIDE);

async function send(page: Page, method: string, path: string, body?: object): Promise<unknown> {
  return page.evaluate(
    async ([verb, at, sent]) => {
      const answer = await fetch(`/api/v1${at}`, {
        method: verb!,
        headers: { "content-type": "application/json" },
        ...(sent && { body: sent }),
      });
      if (!answer.ok) throw new Error(`${verb} ${at}: ${answer.status} ${await answer.text()}`);
      return answer.status === 204 ? null : ((await answer.json()) as unknown);
    },
    [method, path, body && JSON.stringify(body)],
  );
}

/** Ivan's slide, which Anna may annotate and Vera sees, without annotations. */
async function share(page: Page): Promise<void> {
  const { users } = (await send(page, "GET", "/people?search=")) as { users: { id: string; name: string }[] };
  const shares = [
    { kind: "user", id: users.find(({ name }) => name === "anna")!.id, right: "annotate" },
    { kind: "user", id: users.find(({ name }) => name === "vera")!.id, right: "view" },
  ];
  await send(page, "PUT", `/slides/${SLIDE}/sharing`, { public: false, shares });
  const path = `/slides/${SLIDE}/annotations`;
  const all = async () => ((await send(page, "GET", path)) as { annotations: Listed[] }).annotations;
  for (const { id, locked } of await all()) if (locked) await send(page, "DELETE", `${path}/${id}/lock`);
  const changes = (await all()).map(({ id, revision }) => ({ id, revision, content: null }));
  await send(page, "POST", `${path}:batch`, { changes });
}

interface Listed {
  readonly id: string;
  readonly revision: number;
  readonly locked: string;
}

async function person(browser: Browser, name: Name, screen = DESKTOP): Promise<Page> {
  const { page } = await signedIn(browser, clinic.service, name);
  await page.setViewportSize(screen);
  return page;
}

async function withSlide(page: Page): Promise<void> {
  await openAnnotations(page, SLIDE, clinic.service.address);
  await show(page, 200, 200, 1600, 900);
}

async function rectangle(page: Page, x: number, y: number): Promise<void> {
  await tool(page, "Rectangle").click();
  await drag(page, [
    [x, y],
    [x + 200, y + 150],
  ]);
  await saved(page);
}

async function rename(page: Page, name: string): Promise<void> {
  await page.getByTestId("annotation-editor").getByLabel("Name").fill(name);
  await page.keyboard.press("Enter");
  await saved(page);
}

const names = (page: Page): Promise<string[]> => list(page).then((all) => all.map(({ name }) => name));
const row = (page: Page) => page.getByTestId("annotation-list").getByRole("option");
const comments = (page: Page) => page.getByTestId("comment");

test("people discuss an annotation: mentions, replies, unread marks, on a phone too (AN46 to AN49)", async ({
  browser,
}, info) => {
  const ivan = await person(browser, "ivan");
  await share(ivan);
  await withSlide(ivan);
  await rectangle(ivan, 500, 400);
  const field = ivan.getByRole("textbox", { name: "New comment" });
  await field.fill("Are these mitoses, @an");
  await ivan.getByTestId("mention-names").getByRole("button", { name: "@Anna" }).click();
  await expect(field).toHaveValue("Are these mitoses, @Anna ");
  await ivan.keyboard.type("?");
  await ivan.keyboard.press("Control+Enter");
  await expect(comments(ivan)).toContainText("Are these mitoses, @Anna ?");
  await expect(comments(ivan).locator("mark")).toHaveText("@Anna");
  await expectNothingSeriousInEither(ivan, "comments of the own annotation");
  await storePicture(ivan, info.outputPath("comments-1366x768.png"));

  const anna = await person(browser, "anna", PHONE);
  await withSlide(anna);
  await expect(anna.getByTestId("comment-news")).toContainText("1 annotation with unread comments");
  await expect(anna.getByRole("img", { name: "1 comment, 1 unread" })).toBeVisible();
  await expectNothingSerious(anna, "unread comments on a phone");
  await storePicture(anna, info.outputPath("unread-390x844.png"));
  await anna.getByTestId("comment-news").getByRole("button", { name: "Show" }).click();
  await expect(comments(anna)).toContainText("Are these mitoses");
  await expect(anna.getByTestId("comment-news")).toBeHidden();
  await anna.getByRole("button", { name: "Reply to Ivan" }).click();
  await anna.getByRole("textbox", { name: "Reply to Ivan" }).fill("No, pyknoses.");
  await anna.getByRole("button", { name: "Reply", exact: true }).click();
  await expect(comments(anna)).toHaveCount(2);
  await expectNothingSerious(anna, "a thread on a phone");
  await storePicture(anna, info.outputPath("thread-390x844.png"));

  await expect(comments(ivan)).toHaveCount(2);
  await expect(comments(ivan).last()).toContainText("No, pyknoses.");
  await comments(anna).last().getByRole("button", { name: "Edit comment" }).click();
  await anna.getByRole("textbox", { name: "Edit comment" }).fill("No, apoptoses.");
  await anna.getByRole("button", { name: "Save", exact: true }).click();
  await expect(comments(ivan).last()).toContainText("No, apoptoses.");
  await expect(comments(ivan).last()).toContainText("edited");
  await comments(anna).last().getByRole("button", { name: "Delete comment" }).click();
  await expect(comments(ivan)).toHaveCount(1);
  await anna.reload();
  await saved(anna);
  await expect(anna.getByRole("img", { name: "1 comment", exact: true })).toBeVisible(); // read stays read
  await Promise.all([ivan.context().close(), anna.context().close()]);
});

test("the bell of the gallery counts answers and mentions, and leads to the annotation, whose comments are read (AN49, AN55)", async ({
  browser,
}, info) => {
  const ivan = await person(browser, "ivan");
  await share(ivan);
  await withSlide(ivan);
  await rectangle(ivan, 500, 400);
  await rename(ivan, "Gland");
  const { id } = (await list(ivan))[0]!;
  const path = `/slides/${SLIDE}/comments`;
  await send(ivan, "PUT", `${path}/b1`, { annotation: id, text: "Are these mitoses?" });
  await ivan.goto(clinic.service.address); // an open slide reads what is written beside it
  const anna = await person(browser, "anna");
  await send(anna, "PUT", `${path}/b2`, { annotation: id, reply_to: "b1", text: "No, pyknoses." });
  await send(anna, "PUT", `${path}/b3`, { annotation: id, text: "Look again, @Ivan" });
  await ivan.reload();
  const bell = ivan.getByRole("button", { name: "2 unread comments for you" });
  await expect(bell).toBeVisible();
  await bell.click();
  const news = ivan.getByTestId("news");
  await expect(news.filter({ hasText: "No, pyknoses." })).toBeVisible();
  await expectNothingSerious(ivan, "the bell");
  for (const [name, screen] of [
    ["desktop", { width: 1920, height: 1080 }],
    ["phone", PHONE],
  ] as const)
    for (const colorScheme of ["light", "dark"] as const) {
      await ivan.setViewportSize(screen);
      await ivan.emulateMedia({ colorScheme });
      await storePicture(ivan, info.outputPath(`bell-${name}-${colorScheme}.png`));
    }
  await ivan.setViewportSize(DESKTOP);
  await news.filter({ hasText: "Look again" }).click();
  await expect(ivan.getByTestId("annotation-editor").getByLabel("Name")).toHaveValue("Gland");
  await expect(comments(ivan)).toHaveCount(3);
  await ivan.goto(clinic.service.address);
  await expect(ivan.getByRole("button", { name: "0 unread comments for you" })).toBeVisible();
  await Promise.all([ivan.context().close(), anna.context().close()]);
});

test("a comment that could not be sent stays and is sent again (AN46)", async ({ browser }) => {
  const ivan = await person(browser, "ivan");
  await share(ivan);
  await withSlide(ivan);
  await rectangle(ivan, 500, 400);
  await ivan.context().setOffline(true);
  const field = ivan.getByRole("textbox", { name: "New comment" });
  await field.fill("Written in the train");
  await ivan.getByRole("button", { name: "Comment", exact: true }).click();
  await expect(ivan.getByTestId("comments").getByRole("alert")).toBeVisible();
  await expect(field).toHaveValue("Written in the train");
  await ivan.context().setOffline(false);
  await ivan.getByRole("button", { name: "Comment", exact: true }).click();
  await expect(comments(ivan)).toHaveCount(1);
  await expect(field).toHaveValue("");
  await ivan.context().close();
});

test("nobody changes a locked annotation until it is unlocked (AN45)", async ({ browser }, info) => {
  const ivan = await person(browser, "ivan");
  await share(ivan);
  await withSlide(ivan);
  await rectangle(ivan, 500, 400);
  const anna = await person(browser, "anna");
  await withSlide(anna);
  await row(anna).click();
  await expect(anna.getByRole("button", { name: "Delete selected" })).toBeVisible();
  await ivan.getByTestId("annotation-lock").click();
  await expect(ivan.getByTestId("annotation-locked")).toHaveText("Locked by Ivan");
  await expect(ivan.getByRole("button", { name: "Delete selected" })).toBeHidden();
  await expect(anna.getByTestId("annotation-locked")).toHaveText("Locked by Ivan");
  await expect(anna.getByRole("button", { name: "Delete selected" })).toBeHidden();
  await expect(anna.getByTestId("annotation-lock")).toHaveAttribute("aria-disabled", "true");
  await anna.getByRole("listbox", { name: "Annotations" }).press("Delete");
  expect((await list(anna)).length).toBe(1);
  await expectNothingSeriousInEither(anna, "a locked annotation");
  await storePicture(anna, info.outputPath("locked-1366x768.png"));
  await ivan.keyboard.press("Control+z");
  await expect(ivan.getByTestId("annotation-notice")).toContainText("Not undone: Ivan has locked the annotation.");
  await ivan.getByTestId("annotation-lock").click();
  await expect(anna.getByRole("button", { name: "Delete selected" })).toBeVisible();
  await Promise.all([ivan.context().close(), anna.context().close()]);
});

test("undo takes back only what its user did, after a lost connection too (AN51)", async ({ browser }) => {
  const ivan = await person(browser, "ivan");
  await share(ivan);
  await withSlide(ivan);
  await rectangle(ivan, 500, 400);
  await rename(ivan, "Ivan's");
  const anna = await person(browser, "anna");
  await withSlide(anna);
  await row(anna).click();
  await anna.getByTestId("annotation-editor").getByLabel("Text").fill("Anna's text");
  await anna.getByTestId("annotation-editor").getByLabel("Name").click();
  await saved(anna);
  await expect(ivan.getByTestId("annotation-editor").getByLabel("Text")).toHaveValue("Anna's text");
  await ivan.getByTestId("viewer").press("Control+z");
  await expect.poll(() => names(anna)).toEqual([""]);
  await expect(ivan.getByTestId("annotation-editor").getByLabel("Text")).toHaveValue("Anna's text");

  await rename(ivan, "Ivan's again");
  await expect.poll(() => names(anna)).toEqual(["Ivan's again"]);
  await ivan.context().setOffline(true);
  await rename(anna, "Anna's");
  await ivan.getByTestId("viewer").press("Control+z"); // does not know of Anna's change
  await ivan.context().setOffline(false);
  await expect(ivan.getByTestId("annotation-notice")).toContainText("Not undone: Anna has changed the same annotation");
  await saved(ivan);
  expect([await names(ivan), await names(anna)]).toEqual([["Anna's"], ["Anna's"]]);
  await Promise.all([ivan.context().close(), anna.context().close()]);
});

test("annotations have the colours of their authors by choice (AN50)", async ({ browser }, info) => {
  const ivan = await person(browser, "ivan");
  await share(ivan);
  await withSlide(ivan);
  await rectangle(ivan, 500, 400);
  const anna = await person(browser, "anna");
  await withSlide(anna);
  await rectangle(anna, 900, 400);
  const colours = async (page: Page): Promise<string[]> =>
    row(page).evaluateAll((rows) => rows.map((row) => row.querySelector("span")!.style.background));
  await expect(row(ivan)).toHaveCount(2);
  expect(new Set(await colours(ivan)).size).toBe(1);
  for (const page of [ivan, anna]) {
    await page.getByText("Author", { exact: true }).click();
    await expect(page.getByTestId("author-colours")).toContainText("Anna");
    await expect(page.getByTestId("author-colours")).toContainText("Ivan");
  }
  expect(new Set(await colours(ivan)).size).toBe(2);
  expect(await colours(anna)).toEqual(await colours(ivan));
  await ivan.waitForFunction(() => window.__wavescope.annotations.state().settled);
  expect((await state(ivan)).settled).toBe(true);
  await expectNothingSeriousInEither(ivan, "colours of authors");
  await storePicture(ivan, info.outputPath("authors-1366x768.png"));
  await Promise.all([ivan.context().close(), anna.context().close()]);
});
