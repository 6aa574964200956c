// npm run bench [-- NAME...]: ingest, traffic, service, regions and kernel compared with their peers, as ratios; a live session and annotations
// compared with their limits. Missing peers are named. quality, viewer (waiting times in Chromium, compared with OpenSeadragon on a DZI),
// transports (the same on slow links, by push, batches and single requests), memory, edge and origins take long and run by name only.
import "./node-version.mjs";
import { existsSync } from "node:fs";
import { VIEWER_NEEDS, needPrograms } from "./bench/browser.mjs";
import { Stop, at, command, inVenv, run } from "./repository.mjs";
import { browser, service } from "./setup.mjs";

const SCRIPTS = {
  kernel: "backend/bench/kernel.py",
  ingest: "backend/bench/ingest.py",
  quality: "backend/bench/quality.py",
  traffic: "backend/bench/traffic.py",
  units: "backend/bench/units.py", // bytes by the side of a tile (decision 0009)
  drawing: "shared/tools/bench/drawing.mjs",
  service: "backend/bench/service.py",
  regions: "backend/bench/regions.py",
  annotations: "shared/tools/bench/annotations.mjs",
  session: "backend/bench/session.py",
  viewer: "shared/tools/bench/viewer.mjs",
  transports: "shared/tools/bench/transports.mjs",
  memory: "shared/tools/bench/memory.mjs",
  edge: "backend/bench/classroom.py", // the classroom of the papers over a slow link
  origins: "backend/bench/origins.py", // several origins with replicas (decision 0015)
  codec: "backend/bench/codec/bench_codec.py", // npm run bench:codec
};
const NEEDED = { viewer: VIEWER_NEEDS, transports: VIEWER_NEEDS }; // the others go on without their peers
const USUAL = ["kernel", "ingest", "traffic", "service", "regions", "session", "annotations"];

command(async (args) => {
  const wanted = args.length ? args : USUAL;
  for (const name of wanted)
    if (!(name in SCRIPTS))
      throw new Stop(`There is no bench ${name}; there are ${Object.keys(SCRIPTS).join(", ")}.`, "", 2);
  for (const name of wanted) if (name in NEEDED) await needPrograms(name, NEEDED[name]);
  await service();
  let failed = 0;
  for (const name of wanted) {
    const script = at(SCRIPTS[name]);
    if (!existsSync(script)) throw new Stop(`${script} is missing.`);
    if (script.endsWith(".mjs")) await browser();
    const { code } = await run(script.endsWith(".mjs") ? process.execPath : inVenv("python"), [script], {
      stdio: "inherit",
    });
    if (code !== 0) console.error(`The bench ${name} ended with code ${code}.`);
    failed += code === 0 ? 0 : 1;
  }
  return failed ? 1 : 0;
});
