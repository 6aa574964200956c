// What stays in the browser between visits: the files of the page, and what was seen of slides.
import type { Page } from "@playwright/test";
import { idle, openSlide, slideIsOpen, tileState } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { PASSWORD, signedIn } from "../harness/people.ts";
import { SLIDES } from "../harness/slides.ts";
import { expect, test } from "../harness/test.ts";

const own = sharedService();

/** Bytes of slides that the browser stores, in the databases of all accounts. */
const storedBytes = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    let sum = 0;
    for (const { name } of await indexedDB.databases())
      sum += await new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open(name!);
        opening.onerror = () => reject(opening.error!);
        opening.onsuccess = () => {
          const database = opening.result;
          const read = database.transaction("total").objectStore("total").get("bytes");
          read.onerror = () => reject(read.error!);
          read.onsuccess = () => {
            database.close();
            resolve((read.result as number | undefined) ?? 0);
          };
        };
      });
    return sum;
  });

async function settle(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready);
  await expect.poll(() => storedBytes(page)).toBeGreaterThan(1000);
}

test("a second visit fetches no script and no block, and a visit without the service shows what was seen (PG10, PG11, PG24, PG25)", async ({
  page,
}) => {
  const { service } = own;
  await openSlide(page, SLIDES.specimen, service.address);
  await settle(page);
  const fetched: string[] = [];
  page.on("response", (response) => {
    const type = response.request().resourceType();
    if (/blocks:batch|layer-index|approximation/.test(response.url())) fetched.push(response.url());
    if (["script", "stylesheet"].includes(type) && !response.fromServiceWorker()) fetched.push(response.url());
  });
  await page.reload();
  await slideIsOpen(page);
  expect(fetched).toEqual([]);

  await service.stop();
  await page.reload();
  await expect(page.getByTestId("offline-notice")).toContainText("Offline: shows what was seen before");
  await slideIsOpen(page);
  expect((await tileState(page)).map(({ state }) => state)).toEqual((await tileState(page)).map(() => "exact"));

  await service.startAgain();
  await expect(page.getByTestId("offline-notice")).toHaveCount(0);
  await idle(page);
});

test("signing out deletes what is stored, and a slide that is refused is neither shown nor stored (PG22, PG23)", async ({
  browser,
  services,
}) => {
  const clinic = await services.clinic(SLIDES.specimen);
  const { page } = await signedIn(browser, clinic, "ivan");
  await openSlide(page, SLIDES.specimen, clinic.address);
  await settle(page);
  const headers = { origin: clinic.address, "content-type": "application/json" };
  const entered = await fetch(`${clinic.address}/api/v1/sign-in`, {
    method: "POST",
    headers,
    body: JSON.stringify({ name: "adam", password: PASSWORD }),
  });
  const cookie = entered.headers.getSetCookie()[0]!.split(";")[0]!;
  const users = (await (await fetch(`${clinic.address}/api/v1/users`, { headers: { cookie } })).json()) as {
    users: { id: string; name: string }[];
  };
  const olga = users.users.find(({ name }) => name === "olga")!.id;
  const given = await fetch(`${clinic.address}/api/v1/slides/${SLIDES.specimen}/sharing`, {
    method: "PUT",
    headers: { ...headers, cookie },
    body: JSON.stringify({ public: false, shares: [], owner: olga }),
  });
  expect(given.status).toBe(200);
  await page.reload();
  await expect(page.getByTestId("refusal")).toBeVisible();
  await expect.poll(() => storedBytes(page)).toBe(0);

  const second = await signedIn(browser, clinic, "olga");
  await openSlide(second.page, SLIDES.specimen, clinic.address);
  await settle(second.page);
  await second.page.goto(clinic.address);
  await second.page.getByRole("button", { name: "Account of Olga" }).click();
  await second.page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect.poll(() => second.page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
});
