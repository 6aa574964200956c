// npm start [-- [--port N] FILE...]: sets up what is missing, ingests FILE (or, into an empty store, the specimen), serves.
import "./node-version.mjs";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Stop, command, inVenv, launch, root, run } from "./repository.mjs";
import { service } from "./setup.mjs";

const SPECIMEN = "specimen:5120x4096x5?seed=8"; // DEFAULT_SPECIMEN of the service: small enough for seconds, every tissue in it
const HOST = "127.0.0.1";
const READY_SECONDS = 60;

function readArguments(args) {
  const files = [];
  let port = 8000;
  for (let i = 0; i < args.length; i++) {
    if (args[i] === "--port") port = Number(args[++i]);
    else if (args[i].startsWith("--"))
      throw new Stop(`npm start does not know ${args[i]}. Use: npm start [-- [--port N] FILE...]`, "", 2);
    else files.push(args[i].startsWith("specimen:") ? args[i] : resolve(process.env.INIT_CWD ?? root, args[i]));
  }
  if (!(Number.isInteger(port) && port > 0 && port < 65536))
    throw new Stop("--port needs a number from 1 to 65535.", "", 2);
  for (const file of files)
    if (!file.startsWith("specimen:") && !existsSync(file)) throw new Stop(`There is no file ${file}.`, "", 2);
  return { files, port };
}

/** Stops at once if another program listens on the port: better now than after minutes of setting up. */
function expectFree(port) {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", () =>
      fail(
        new Stop(
          `Port ${port} is in use. If Wavescope runs already, open http://${HOST}:${port} ; otherwise: npm start -- --port ${port + 1}`,
        ),
      ),
    );
    probe.listen(port, HOST, () => probe.close(done));
  });
}

async function ingest(files, store) {
  const slides = join(store, "slides");
  const empty = !existsSync(slides) || readdirSync(slides).length === 0;
  const wanted =
    files.length || !empty
      ? files.map((file) => [file])
      : [[SPECIMEN, "--id", "specimen", "--title", "Synthetic specimen"]];
  let failed = 0;
  for (const [file, ...options] of wanted) {
    console.log(`- ingesting ${file} ...`);
    const { code } = await run(inVenv("wavescope"), ["ingest", file, "--if-new", ...options], { stdio: "inherit" });
    if (code > 2)
      throw new Stop(`Ingesting ${file} was interrupted; the next start goes on where it stopped.`, "", code);
    failed += code === 0 ? 0 : 1;
  }
  if (failed && failed === wanted.length && empty)
    throw new Stop("Nothing could be ingested, and the store is empty.", "", 2);
}

/** Serves until the service ends or is stopped; resolves with the exit code. */
async function serve(port) {
  const child = launch(inVenv("wavescope"), ["serve", "--host", HOST, "--port", String(port)], {
    env: { WAVESCOPE_LOG_LEVEL: "warning", WAVESCOPE_LOG_FORMAT: "text", ...process.env },
  });
  let asked = false;
  const ended = new Promise((done) => child.once("close", (code) => done(asked ? 0 : (code ?? 1))));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      if (!asked) child.kill("SIGTERM");
      asked = true;
      setTimeout(() => child.kill("SIGKILL"), 8000).unref();
    });
  }
  const address = `http://${HOST}:${port}`;
  if (await answers(address, child)) console.log(`\nWavescope is ready: ${address}   (Ctrl-C to stop)`);
  return ended;
}

async function answers(address, child) {
  const end = Date.now() + READY_SECONDS * 1000;
  while (Date.now() < end && child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(`${address}/readyz`).catch(() => null);
    if (answer?.ok) return true;
    await sleep(100);
  }
  return false;
}

command(async (args) => {
  const { files, port } = readArguments(args);
  await expectFree(port);
  await service();
  await ingest(files, resolve(root, process.env.WAVESCOPE_STORE ?? ".wavescope"));
  return serve(port);
});
