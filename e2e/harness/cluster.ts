// A cluster instead of one service (`npm run e2e:cluster`): two nodes behind HAProxy with TLS, PostgreSQL, an object store.
import { execFile, spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

interface Part {
  kind: string;
  pid: number | null;
}

/** The cluster of a store lies beside it: a second start continues with it. */
const folderOf = (store: string): string => `${store}-cluster`;

/** The folders of those that run, by the program that ends them: none outlives a worker, also if a start took too long. */
const running = new Map<string, string>();
process.on("exit", () => {
  for (const [folder, program] of running) spawnSync(program, ["cluster", "down", "--dir", folder]); // never throws here
});

/** For the balancer; the other parts take the ports after it. Connections of others take none of these numbers by chance. */
export const clusterPort = (): number => 10_000 + 20 * Math.floor(1000 * Math.random());

/** A cluster that begins with what a store has; `accounts`: of the store, else anyone may do everything. */
export async function clusterUp(program: string, store: string, port: number, accounts: boolean): Promise<void> {
  const folder = folderOf(store);
  const first = existsSync(join(folder, "cluster.json"))
    ? []
    : ["--nodes", "2", "--without", "prometheus", "--without", "rates", ...(accounts ? [] : ["--open"])];
  const begins = first.length > 0 && existsSync(store) ? ["--from", store] : [];
  chmodSync(dirname(store), 0o711); // the account of PostgreSQL passes through it
  running.set(folder, program);
  await run(program, ["up", "--port", String(port), ...first, ...begins, "--dir", folder]);
}

/** Ends it; `SIGKILL`: its nodes as a crash would. */
export async function clusterDown(program: string, store: string, signal: NodeJS.Signals): Promise<void> {
  const folder = folderOf(store);
  if (!running.has(folder)) return;
  if (signal === "SIGKILL") {
    const status = JSON.parse(await run(program, ["status", "--json", "--dir", folder])) as { readonly parts: Part[] };
    for (const { kind, pid } of status.parts) if (kind === "node" && pid) process.kill(pid, "SIGKILL");
  }
  await run(program, ["down", "--dir", folder]);
  running.delete(folder);
}

async function run(program: string, args: string[]): Promise<string> {
  return (await execute(program, ["cluster", ...args])).stdout;
}
