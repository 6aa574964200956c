// Files that come in through the page, as a person sends them.
import { type Page, expect } from "@playwright/test";

/** The line of a file in the list of what comes in. */
export const row = (page: Page, name: string) => page.getByTestId("incoming").filter({ hasText: name });

/** Hands files to the upload button. */
export async function choose(page: Page, ...paths: string[]): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Upload" }).first().click()]);
  await chooser.setFiles(paths);
}

/** What is asked about an uploaded file before its slide is made. */
export const question = (page: Page, name: string) => page.getByRole("dialog", { name: "How shall it be stored?" }).getByRole("region", { name });

/** Uploads a file and has its slide made as is proposed. */
export async function upload(page: Page, path: string): Promise<void> {
  await choose(page, path);
  const asked = question(page, path.split("/").at(-1)!);
  await asked.getByRole("button", { name: "Make the slide" }).click({ timeout: 60_000 });
  await expect(asked).toHaveCount(0);
}
