// The controls of a part of the page.
import type { Locator } from "@playwright/test";

/** The names of the controls that can be used, in their order. */
export async function controls(place: Locator): Promise<string[]> {
  return place
    .locator("button:enabled, input:enabled, [role=slider]")
    .evaluateAll((all) =>
      all.map(
        (one) =>
          one.getAttribute("aria-label") ?? (one as HTMLInputElement).labels?.[0]?.textContent ?? one.textContent ?? "",
      ),
    );
}
