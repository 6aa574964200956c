// The real service and the real command line, each test run in folders of its own.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { clusterDown, clusterPort, clusterUp } from "./cluster.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BIN = join(ROOT, ".venv", process.platform === "win32" ? "Scripts" : "bin");
export const PYTHON = join(BIN, "python");
export const WAVESCOPE = join(BIN, "wavescope");
export const DATA = process.env.WAVESCOPE_TEST_DATA ?? join(ROOT, "..", "shared", "data");
const START_SECONDS = 120;
/** Every service is behind an edge (`npm run e2e:edge`): a test uses the address of the edge. */
export const THROUGH_EDGE = process.env.WAVESCOPE_E2E_EDGE === "1";
/** Every service is a cluster (`npm run e2e:cluster`): a test uses the address of its balancer. */
export const ON_CLUSTER = process.env.WAVESCOPE_E2E_CLUSTER === "1";

/** A real slide of the shared data, or undefined where this machine has none. */
export function realSlide(name: string): string | undefined {
  const path = join(DATA, name);
  return existsSync(path) ? path : undefined;
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "wavescope-e2e-"));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** A copy of a store that a test may damage. */
export function copyStore(store: string): string {
  const copy = join(temporaryFolder(), "store");
  cpSync(store, copy, { recursive: true });
  return copy;
}

/** Runs the command line; throws with what it printed unless it ends with `code`. */
export function wavescope(store: string, args: string[], code = 0): { stdout: string; stderr: string } {
  const ended = spawnSync(WAVESCOPE, args, {
    encoding: "utf8",
    env: { ...process.env, WAVESCOPE_STORE: store },
    maxBuffer: 1 << 26,
  });
  if (ended.status !== code)
    throw new Error(`wavescope ${args.join(" ")} ended with ${ended.status}:\n${ended.stdout}\n${ended.stderr}`);
  return ended;
}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

/** What a service needs to know of an edge on the same machine (shared/operations/README.md). */
const BEHIND_EDGE = {
  WAVESCOPE_TRUSTED_PROXIES: "127.0.0.1",
  WAVESCOPE_OPEN_TO_ALL: "1",
  WAVESCOPE_RATE_LIMITS: "0",
  WAVESCOPE_LOG_ACCESS: "none",
};

/** Begins the processes of a service anew; answers when it is ready. */
type Launch = () => Promise<ChildProcess[]>;

/** One running service on a store, with an edge in front where THROUGH_EDGE: `address` is where clients go. */
export class Service {
  /** The service, and the edge in front of it. */
  private children: ChildProcess[] = [];

  private constructor(
    readonly address: string,
    readonly store: string,
    private readonly launch: Launch,
    private readonly beginOrigin: () => ChildProcess,
    private readonly origin: string,
  ) {}

  static async start(
    store: string,
    options: { port?: number; env?: Record<string, string>; watch?: string } = {},
  ): Promise<Service> {
    const service = await Service.at(store, options);
    await service.startAgain();
    return service;
  }

  /** As a service that is not started yet. */
  private static async at(
    store: string,
    options: { port?: number; env?: Record<string, string>; watch?: string },
  ): Promise<Service> {
    const port = options.port ?? (ON_CLUSTER ? clusterPort() : await freePort());
    if (ON_CLUSTER) {
      const accounts = options.env?.WAVESCOPE_ACCESS === "accounts";
      const launch: Launch = () => clusterUp(WAVESCOPE, store, port, accounts).then(() => []);
      const begin = () => {
        throw new Error("a cluster has no origin");
      };
      return new Service(`https://127.0.0.1:${port}`, store, launch, begin, "");
    }
    const watching = options.watch ? ["--watch", options.watch] : [];
    const serving = (at: number) => ["serve", "--port", String(at), "--store", store, ...watching];
    const begin = (args: string[], env = {}) =>
      spawn(WAVESCOPE, args, {
        env: { ...process.env, ...env, ...options.env },
        stdio: ["ignore", "inherit", "inherit"],
      });
    const address = `http://127.0.0.1:${port}`;
    if (!THROUGH_EDGE) {
      const alone = () => begin(serving(port));
      return new Service(address, store, () => Promise.resolve([alone()]), alone, address);
    }
    const hidden = await freePort();
    const origin = `http://127.0.0.1:${hidden}`;
    const cache = join(dirname(store), "edge-cache");
    const caching = ["edge", "--origin", origin, "--port", String(port), "--cache", cache];
    const behind = () => begin(serving(hidden), BEHIND_EDGE);
    return new Service(address, store, () => Promise.resolve([behind(), begin(caching)]), behind, origin);
  }

  /** Starts it where it was, after `stop`. */
  async startAgain(): Promise<void> {
    this.children = await this.launch();
    if (ON_CLUSTER) return;
    await this.ready(this.origin);
    if (this.origin !== this.address) await this.ready(this.address);
  }

  get port(): number {
    return Number(new URL(this.address).port);
  }

  private async ready(address: string): Promise<void> {
    for (const end = Date.now() + START_SECONDS * 1000; Date.now() < end; await sleep(50)) {
      const ended = this.children.find((child) => child.exitCode !== null);
      if (ended) throw new Error(`the service ended with ${ended.exitCode}`);
      const answer = await fetch(`${address}/readyz`).catch(() => null);
      if (answer?.ok) return;
    }
    for (const child of this.children) child.kill("SIGKILL");
    throw new Error("the service did not become ready");
  }

  /** Ends it; `SIGKILL` as a crash would. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    if (ON_CLUSTER) await clusterDown(WAVESCOPE, this.store, signal);
    await Promise.all(this.children.map((child) => end(child, signal)));
  }

  /** Ends the service alone: the edge in front of it goes on. */
  async stopOrigin(): Promise<void> {
    await end(this.children[0]!, "SIGTERM");
  }

  /** Starts the service again after `stopOrigin`. */
  async startOrigin(): Promise<void> {
    this.children[0] = this.beginOrigin();
    await this.ready(this.origin);
  }

  async json<T>(path: string): Promise<T> {
    const answer = await fetch(this.address + path);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await ended;
}
