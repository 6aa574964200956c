// WebKitGTK's MiniBrowser by its own WebDriver (https://www.w3.org/TR/webdriver2/), on a display of its own: plain requests.
// A driver serves one session at a time, so each person has a driver.
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../service.ts";
import { type Engine, type Screen, type Tab, program } from "./engine.ts";

const DISPLAY = "1920x1200x24"; // larger than any window of the tests
const START_SECONDS = 30;
const SCRIPT_MILLISECONDS = 60_000;
const ARGUMENTS = ["--automation", "--enable-write-console-messages-to-stdout=true"];
/** Of what a page writes to its console. */
const FAULT = /Content.Security.Policy|Unhandled Promise Rejection|CONSOLE JS ERROR/;

export async function startWebkit(): Promise<Engine> {
  const display = await startDisplay();
  const open: Session[] = [];
  return {
    person: async (screen) => {
      const session = await Session.start(display.name);
      open.push(session);
      await session.resize(screen);
      return session;
    },
    close: async () => {
      await Promise.all(open.map((session) => session.close()));
      await end(display.process);
    },
  };
}

async function startDisplay(): Promise<{ name: string; process: ChildProcess }> {
  const args = ["-displayfd", "1", "-screen", "0", DISPLAY, "-nolisten", "tcp"];
  const server = spawn(program("display"), args, { stdio: ["ignore", "pipe", "ignore"] });
  const number = await new Promise<string>((resolve, reject) => {
    server.stdout.once("data", (data: Buffer) => resolve(data.toString().trim())); // written when it is ready
    server.once("exit", (code) => reject(new Error(`Xvfb ended with ${code}`)));
  });
  return { name: `:${number}`, process: server };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill();
  await ended;
}

/** WebDriver's code points of keys that write nothing. */
const KEYS: Record<string, string> = {
  Enter: "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Escape: "\uE00C",
  Delete: "\uE017",
  Home: "\uE011",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
};

class Session implements Tab {
  private readonly seen: string[] = [];

  private constructor(
    private readonly driver: ChildProcess,
    private readonly address: string,
  ) {
    driver.stdout!.on("data", (data: Buffer) =>
      this.seen.push(
        ...data
          .toString()
          .split("\n")
          .filter((line) => FAULT.test(line)),
      ),
    );
  }

  static async start(display: string): Promise<Session> {
    const port = await freePort();
    const env = { ...process.env, DISPLAY: display, GDK_BACKEND: "x11", LC_ALL: "C.UTF-8" };
    const driver = spawn(program("driver"), [`--port=${port}`], { env, stdio: ["ignore", "pipe", "ignore"] });
    const at = `http://127.0.0.1:${port}`;
    for (const last = Date.now() + START_SECONDS * 1000; Date.now() < last; await sleep(20))
      if ((await fetch(`${at}/status`).catch(() => null))?.ok) break;
    const capabilities = {
      alwaysMatch: { "webkitgtk:browserOptions": { binary: program("miniBrowser"), args: ARGUMENTS } },
    };
    const { sessionId } = await send<{ sessionId: string }>("POST", `${at}/session`, { capabilities });
    const session = new Session(driver, `${at}/session/${sessionId}`);
    await session.post("timeouts", { script: SCRIPT_MILLISECONDS });
    return session;
  }

  /** Makes the page as large as `screen`; the window has a toolbar beside it. */
  async resize({ width, height }: Screen): Promise<void> {
    const outer = { width, height };
    for (let tries = 0; tries < 20; tries++) {
      await this.post("window/rect", { x: 0, y: 0, ...outer });
      const inner = await this.evaluate(() => ({ width: innerWidth, height: innerHeight }));
      if (inner.width === width && inner.height === height) return;
      outer.width += width - inner.width;
      outer.height += height - inner.height;
      await sleep(100); // the window follows when it likes
    }
    throw new Error(`the window does not become ${width} x ${height}`);
  }

  async goto(url: string): Promise<void> {
    await this.post("url", { url });
  }

  async evaluate<A extends unknown[], R>(script: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
    const body = `const done = arguments[arguments.length - 1];
      (async () => (${script.toString()})(...arguments[0]))().then(
        (value) => done({ value }),
        (error) => done({ error: String(error) + "\\n" + error.stack }),
      );`;
    const answer = await this.post<{ value?: Awaited<R>; error?: string }>("execute/async", {
      script: body,
      args: [args],
    });
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value as Awaited<R>;
  }

  move(x: number, y: number): Promise<void> {
    return this.pointer({ type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 0 });
  }

  down(): Promise<void> {
    return this.pointer({ type: "pointerDown", button: 0 });
  }

  up(): Promise<void> {
    return this.pointer({ type: "pointerUp", button: 0 });
  }

  private pointer(action: object): Promise<void> {
    return this.act({ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions: [action] });
  }

  async wheel(x: number, y: number, css_pixels: number): Promise<void> {
    const action = { type: "scroll", x: Math.round(x), y: Math.round(y), deltaX: 0, deltaY: css_pixels, duration: 0 };
    await this.act({ type: "wheel", id: "wheel", actions: [action] });
    await send("DELETE", `${this.address}/actions`); // else it takes the next equal turn for the same one
  }

  press(...keys: string[]): Promise<void> {
    const values = keys.map((key) => KEYS[key] ?? key);
    const down = values.map((value) => ({ type: "keyDown", value }));
    const up = values.reverse().map((value) => ({ type: "keyUp", value }));
    return this.act({ type: "key", id: "keyboard", actions: [...down, ...up] });
  }

  async type(text: string): Promise<void> {
    for (const character of text) await this.press(character);
  }

  async screenshot(path: string): Promise<void> {
    writeFileSync(path, Buffer.from(await send<string>("GET", `${this.address}/screenshot`), "base64"));
  }

  faults(): string[] {
    return this.seen;
  }

  /** Closes the browser, then its driver. */
  async close(): Promise<void> {
    await send("DELETE", this.address).catch(() => undefined); // it may have crashed
    await end(this.driver);
  }

  private async act(source: object): Promise<void> {
    await this.post("actions", { actions: [source] });
  }

  private post<T>(command: string, body: object): Promise<T> {
    return send<T>("POST", `${this.address}/${command}`, body);
  }
}

async function send<T>(method: string, url: string, body?: object): Promise<T> {
  const answer = await fetch(url, { method, body: body && JSON.stringify(body) });
  const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
  if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname}: ${value.error}: ${value.message}`);
  return value;
}
