// A slow link between a page and a server, for the benches in a browser (backend/tests/links).
import { createInterface } from "node:readline";
import { at, inVenv, launch } from "../repository.mjs";

export const FAST = { rate: "1000mbit", delay: "0ms" };

/** A link to a server, fast at first; `reshape` ends its connections, and counts its bytes from 0 again. */
export async function startLink(server) {
  const child = launch(inVenv("python"), ["-m", "links.proxy", "--to", new URL(server).host], {
    cwd: at("backend/tests"),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const line = await new Promise((done) => createInterface({ input: child.stdout }).once("line", done));
  const { listen, control } = JSON.parse(line);
  const bytes = async () => (await (await fetch(`http://${control}/`)).json()).down_bytes;
  const reshape = (shape) =>
    fetch(`http://${control}/`, { method: "POST", body: JSON.stringify({ ...shape, reset: true, zero: true }) });
  return { address: `${new URL(server).protocol}//${listen}`, bytes, reshape, end: () => child.kill() };
}
