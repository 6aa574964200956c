// The test of every spec: no page may break the service's Content-Security-Policy, whatever the test looks at (PR2).
import { type ConsoleMessage, test as base, expect } from "@playwright/test";

const VIOLATION = /Content Security Policy/;

export const test = base.extend<{ guarded: void }>({
  guarded: [
    async ({ context }, use) => {
      const violations: string[] = [];
      const watch = (message: ConsoleMessage) => {
        if (VIOLATION.test(message.text())) violations.push(message.text());
      };
      context.on("console", watch);
      await use();
      expect(violations, "violations of the Content-Security-Policy").toEqual([]);
    },
    { auto: true },
  ],
});
export { expect };
