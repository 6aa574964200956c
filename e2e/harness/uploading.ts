// Files that come in through the page, as a person sends them.
import { type Page, expect } from "@playwright/test";

/** The line of a file in the list of what comes in. */
export const row = (page: Page, name: string) => page.getByTestId("incoming").filter({ hasText: name });

/** Hands files to the upload button. */
export async function choose(page: Page, ...paths: string[]): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Upload" }).first().click(),
  ]);
  await chooser.setFiles(paths);
}

/** Where the image quality of a file is chosen. */
export const qualityDialog = (page: Page) => page.getByRole("dialog", { name: "Choose image quality" });

/** What is asked about a file that is stored already. */
export const storedQuestion = (page: Page, name: string) =>
  page.getByRole("dialog", { name: "Already imported" }).getByRole("region", { name });

/** Uploads a file; its slide is made in the quality chosen last. */
export async function upload(page: Page, path: string): Promise<void> {
  await choose(page, path);
  await expect(row(page, path.split("/").at(-1)!)).toBeVisible();
}
