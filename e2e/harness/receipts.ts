// Receipts of what is shown, as a person takes and saves them, and what the command says of them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Page, expect } from "@playwright/test";
import type { ComparisonReceipt } from "../../frontend/viewer/src/compare/receipt.ts";
import type { Receipt } from "../../frontend/viewer/src/view/receipt/receipt.ts";
import { temporaryFolder, wavescope } from "./service.ts";

export interface Saved<R = Receipt> {
  readonly path: string;
  readonly content: R;
}

export const receipt = (page: Page) => page.getByTestId("receipt");

/** By the key, as the view is now. */
export async function takeReceipt(page: Page): Promise<void> {
  await page.keyboard.press("Control+Enter"); // to the picture
  await page.keyboard.press("Alt+W");
  await expect(receipt(page)).toBeVisible();
}

export async function saveReceipt<R extends Receipt | ComparisonReceipt = Receipt>(page: Page): Promise<Saved<R>> {
  const download = page.waitForEvent("download");
  await receipt(page).getByRole("button", { name: "Save receipt" }).press("Enter");
  const saved = await download;
  const path = join(temporaryFolder(), saved.suggestedFilename());
  await saved.saveAs(path);
  await expect(page.getByText("The receipt was saved as").last()).toBeVisible(); // notices of earlier ones may be there still
  return { path, content: JSON.parse(readFileSync(path, "utf8")) as R };
}

/** What `wavescope prove --check` says of it. */
export const checked = ({ path }: { readonly path: string }, store: string, slides: string[], code = 0): string =>
  wavescope(store, ["prove", ...slides, "--check", path], code).stdout;
