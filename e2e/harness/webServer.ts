// nginx on a plain folder: any static web server that answers range requests.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, removeFolder, temporaryFolder } from "./service.ts";

export const HAS_NGINX = spawnSync("nginx", ["-v"]).status === 0;

interface Options {
  /** Whether it answers range requests. */
  readonly ranges?: boolean;
  /** Whether pages of other sites may read its files. */
  readonly shared?: boolean;
}

export class WebServer {
  private constructor(
    readonly address: string,
    private readonly child: ChildProcess,
    private readonly own: string,
  ) {}

  static async start(root: string, { ranges = true, shared = false }: Options = {}): Promise<WebServer> {
    const [port, own] = [await freePort(), temporaryFolder()];
    const bodies = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    for (const name of bodies) mkdirSync(join(own, name));
    const lines = [
      `daemon off; master_process off; pid ${own}/pid; error_log stderr crit;`,
      "events {}",
      "http {",
      "  include /etc/nginx/mime.types; access_log off;",
      ...bodies.map((name) => `  ${name}_temp_path ${own}/${name};`),
      `  server { listen 127.0.0.1:${port}; root ${root}; index index.html;`,
      ranges ? "" : "    max_ranges 0;",
      shared ? "    add_header Access-Control-Allow-Origin *;" : "",
      "  }",
      "}",
    ];
    const file = join(own, "nginx.conf");
    writeFileSync(file, lines.join("\n"));
    const child = spawn("nginx", ["-c", file, "-p", own], { stdio: ["ignore", "inherit", "inherit"] });
    const server = new WebServer(`http://127.0.0.1:${port}`, child, own);
    await server.ready();
    return server;
  }

  private async ready(): Promise<void> {
    for (let tries = 0; tries < 400 && this.child.exitCode === null; tries += 1) {
      if (await fetch(this.address).catch(() => null)) return;
      await sleep(25);
    }
    throw new Error("nginx did not start");
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = new Promise((resolve) => this.child.once("exit", resolve));
      this.child.kill("SIGTERM");
      await ended;
    }
    removeFolder(this.own);
  }
}
