// The test of every spec: no page may break the service's Content-Security-Policy, whatever the test looks at (PR2).
import { type BrowserContext, type ConsoleMessage, test as base, expect } from "@playwright/test";

const VIOLATION = /Content Security Policy/;

export const test = base.extend<{ guarded: void }>({
  guarded: [
    async ({ browser, context }, use) => {
      const violations: string[] = [];
      const watch = (message: ConsoleMessage) => {
        if (VIOLATION.test(message.text())) violations.push(message.text());
      };
      context.on("console", watch);
      const also = (other: BrowserContext) => other.on("console", watch); // of others whom the test lets join
      browser.on("context", also);
      await use();
      browser.off("context", also);
      expect(violations, "violations of the Content-Security-Policy").toEqual([]);
    },
    { auto: true },
  ],
});
export { expect };
