// The test of every spec: no page may break the service's Content-Security-Policy, whatever the test looks at (PR2). A spec that looks at
// requests says which transport its pages use: `test.use({ transport: "batch" })`; else the page chooses (WI122).
import { type BrowserContext, type ConsoleMessage, test as base, expect as baseExpect } from "@playwright/test";
import { expecting, speak } from "./language.ts";
import { Services } from "./services.ts";

const VIOLATION = /Content Security Policy/;

/** "auto": the page chooses. */
type Transport = "auto" | "get" | "batch" | "push";

/** All pages of this context, from their next load on. */
export const useTransport = (context: BrowserContext, transport: Transport): Promise<unknown> =>
  context.addInitScript((value) => localStorage.setItem("wavescope.transport", value), transport);

export const expect = expecting(baseExpect);

export const test = base.extend<{ guarded: void; transport: Transport }, { services: Services }>({
  services: [
    async ({}, use) => {
      const services = new Services();
      await use(services);
      await services.stop();
    },
    { scope: "worker" },
  ],
  transport: ["auto", { option: true }],
  context: async ({ context, transport }, use) => {
    if (transport !== "auto") await useTransport(context, transport);
    await use(context);
  },
  guarded: [
    async ({ browser, context }, use) => {
      const violations: string[] = [];
      const watch = (message: ConsoleMessage) => {
        if (VIOLATION.test(message.text())) violations.push(message.text());
      };
      context.on("console", watch);
      speak(context);
      const also = (other: BrowserContext): void => {
        other.on("console", watch); // of others whom the test lets join
        speak(other);
      };
      browser.on("context", also);
      await use();
      browser.off("context", also);
      expect(violations, "violations of the Content-Security-Policy").toEqual([]);
    },
    { auto: true },
  ],
});

/** Of tests that open no page; in the same worker as the others, and with its services. */
export const pageless = test.extend<{ guarded: void }>({
  guarded: ({}, use) => use(),
});
