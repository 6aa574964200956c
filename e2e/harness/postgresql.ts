// A PostgreSQL server that a test stops and starts: the one of the backend's tests (backend/tests/catalog) as a process.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type Interface, createInterface } from "node:readline";
import { join } from "node:path";
import { PYTHON, ROOT } from "./service.ts";

export class Postgresql {
  private constructor(
    private readonly child: ChildProcess,
    private readonly lines: Interface,
    /** Of an empty database. */
    readonly url: string,
  ) {}

  /** Null where PostgreSQL is not installed. */
  static async start(): Promise<Postgresql | null> {
    const child = spawn(PYTHON, ["-m", "catalog.stoppable"], {
      cwd: join(ROOT, "backend", "tests"),
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout });
    const url = await Promise.race([once(lines, "line"), once(child, "exit").then(() => [""])]);
    return url[0] ? new Postgresql(child, lines, url[0] as string) : null;
  }

  /** Ends the server as if it were killed. */
  stop(): Promise<void> {
    return this.execute("stop");
  }

  restart(): Promise<void> {
    return this.execute("start");
  }

  /** Ends the server and deletes its data. */
  async close(): Promise<void> {
    const ended = once(this.child, "exit");
    this.child.stdin!.end();
    await ended;
  }

  private async execute(command: string): Promise<void> {
    const done = once(this.lines, "line");
    this.child.stdin!.write(`${command}\n`);
    await done;
  }
}
