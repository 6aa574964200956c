// A slow link between a page and a server: the proxy of the backend's tests (backend/tests/links) as a process.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PYTHON, ROOT } from "./service";

/** What can be changed while the link runs; quantities have units, as in "1mbit", "300ms", "0.5%". */
export interface LinkCommand {
  rate?: string;
  delay?: string;
  jitter?: string;
  loss?: string;
  stalled?: boolean;
  /** A bit is changed after each so many bytes to the client; 0 is never. */
  corrupt_every?: number;
  /** Ends all connections at once. */
  reset?: boolean;
  listening?: boolean;
  /** Counts from 0 again. */
  zero?: boolean;
}

export interface LinkState {
  up_bytes: number;
  down_bytes: number;
  connections: number;
}

export class Link {
  private constructor(
    private readonly child: ChildProcess,
    /** host:port that clients connect to. */
    readonly address: string,
    private readonly control: string,
  ) {}

  /** A link to `target` (host:port); `delay` is one way. */
  static async to(target: string, shape: { rate: string; delay: string; loss?: string }): Promise<Link> {
    const options = Object.entries(shape).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn(PYTHON, ["-m", "links.proxy", "--to", target, ...options], {
      cwd: join(ROOT, "backend", "tests"),
      stdio: ["ignore", "pipe", "inherit"],
    });
    const first = await new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`the link ended with code ${code}`)));
      createInterface({ input: child.stdout }).once("line", resolve);
    });
    const { listen, control } = JSON.parse(first) as { listen: string; control: string };
    return new Link(child, listen, control);
  }

  async change(command: LinkCommand): Promise<LinkState> {
    const answer = await fetch(`http://${this.control}/`, { method: "POST", body: JSON.stringify(command) });
    const state = (await answer.json()) as LinkState & { error?: string };
    if (state.error) throw new Error(state.error);
    return state;
  }

  async state(): Promise<LinkState> {
    return (await (await fetch(`http://${this.control}/`)).json()) as LinkState;
  }

  close(): void {
    this.child.kill();
  }
}
