// Firefox by WebDriver BiDi and Chromium by its own protocol: puppeteer-core, which brings no browser along.
import { type Browser, type KeyInput, launch } from "puppeteer-core";
import { type Engine, type Screen, type Tab, program } from "./engine.ts";

export async function startFirefox(): Promise<Engine> {
  return engineOf(await launch({ browser: "firefox", executablePath: program("firefox"), headless: true }));
}

export async function startChromium(args: readonly string[]): Promise<Engine> {
  return engineOf(await launch({ executablePath: program("chromium"), headless: true, args: [...args] }));
}

function engineOf(browser: Browser): Engine {
  return {
    person: (screen) => open(browser, screen),
    close: () => browser.close(),
  };
}

async function open(browser: Browser, screen: Screen): Promise<Tab> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage({ type: "window" }); // a tab behind another draws no frames
  await page.setViewport(screen);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.text().includes(VIOLATION)) faults.push(message.text());
  });
  await page.evaluateOnNewDocument((violation) => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      console.error(`${violation}: ${violatedDirective} ${blockedURI}`),
    );
  }, VIOLATION);
  const { mouse, keyboard } = page;
  return {
    goto: (url) => page.goto(url),
    evaluate: (script, ...args) => page.evaluate(script, ...(args as unknown[] as [])),
    move: (x, y) => mouse.move(x, y),
    down: () => mouse.down(),
    up: () => mouse.up(),
    wheel: async (x, y, css_pixels) => {
      await mouse.move(x, y);
      await mouse.wheel({ deltaY: css_pixels });
    },
    press: async (...keys) => {
      for (const key of keys) await keyboard.down(key as KeyInput);
      for (const key of keys.reverse()) await keyboard.up(key as KeyInput);
    },
    type: (text) => keyboard.type(text),
    screenshot: (path) => page.screenshot({ path: path }),
    faults: () => faults,
  };
}

const VIOLATION = "Content Security Policy";
