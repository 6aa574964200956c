// A browser of any make, as the smoke set of every browser uses it: few gestures, so that each driver stays small.
import { existsSync } from "node:fs";

export interface Screen {
  readonly width: number;
  readonly height: number;
}

/** One window of a person who shares no storage with the others. Places are CSS pixels of its viewport. */
export interface Tab {
  goto(url: string): Promise<unknown>;
  /** Runs a function in the page and waits for its promise; arguments and result are JSON. */
  evaluate<A extends unknown[], R>(script: (...args: A) => R, ...args: A): Promise<Awaited<R>>;
  move(x: number, y: number): Promise<void>;
  down(): Promise<void>;
  up(): Promise<void>;
  /** Turns the wheel where the pointer is; positive is towards the person. */
  wheel(x: number, y: number, css_pixels: number): Promise<void>;
  /** Presses keys together and releases them: the names of KeyboardEvent.key. */
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  screenshot(path: string): Promise<unknown>;
  /** Uncaught errors and violations of the Content-Security-Policy since the window was opened. */
  faults(): string[];
}

export interface Engine {
  person(screen: Screen): Promise<Tab>;
  close(): Promise<void>;
}

export const ENGINES = ["chromium", "firefox", "webkit"] as const;
export type EngineName = (typeof ENGINES)[number];

const LIBRARY = "/usr/lib";
const MINI_BROWSERS = ["x86_64-linux-gnu", "aarch64-linux-gnu"].flatMap((machine) =>
  ["4.1", "4.0"].map((version) => `${LIBRARY}/${machine}/webkit2gtk-${version}/MiniBrowser`),
);

interface Program {
  /** Where it may be, the first choice first. */
  readonly paths: readonly (string | undefined)[];
  /** The Debian package that has it. */
  readonly debian: string;
}

const PROGRAMS = {
  chromium: { paths: [process.env.PLAYWRIGHT_CHROMIUM, "/usr/bin/chromium"], debian: "chromium" },
  firefox: {
    paths: [process.env.WAVESCOPE_FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"],
    debian: "firefox-esr",
  },
  driver: { paths: ["/usr/bin/WebKitWebDriver"], debian: "webkit2gtk-driver" },
  miniBrowser: { paths: MINI_BROWSERS, debian: "webkit2gtk-driver" },
  display: { paths: ["/usr/bin/Xvfb"], debian: "xvfb" },
} satisfies Record<string, Program>;
type ProgramName = keyof typeof PROGRAMS;

const NEEDED: Record<EngineName, readonly ProgramName[]> = {
  chromium: ["chromium"],
  firefox: ["firefox"],
  webkit: ["driver", "miniBrowser", "display"],
};

const found = (name: ProgramName): string | undefined =>
  PROGRAMS[name].paths.find((path) => path !== undefined && existsSync(path));

/** The path of a program that `missingOf` has found to be there. */
export function program(name: ProgramName): string {
  const path = found(name);
  if (path === undefined) throw new Error(`install the Debian package ${PROGRAMS[name].debian}`);
  return path;
}

/** What to install for a browser, or null if all of it is there. */
export function missingOf(engine: EngineName): string | null {
  const absent = NEEDED[engine].filter((name) => found(name) === undefined);
  const packages = [...new Set(absent.map((name) => PROGRAMS[name].debian))];
  if (packages.length === 0) return null;
  return `no ${engine} on this machine: install Debian's ${packages.join(" and ")}`;
}
