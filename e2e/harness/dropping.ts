// A file that is dragged over the page.
import type { JSHandle, Page } from "@playwright/test";

/** For `page.dispatchEvent`: what the events "dragenter" and "drop" carry. */
export const dragged = (page: Page, name: string, bytes: Buffer): Promise<JSHandle<DataTransfer>> =>
  page.evaluateHandle(
    ([name, base64]) => {
      const given = new DataTransfer();
      given.items.add(new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], name));
      return given;
    },
    [name, bytes.toString("base64")] as const,
  );
