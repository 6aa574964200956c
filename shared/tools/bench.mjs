// npm run bench [-- NAME... [OPTION...]]: ingest, traffic, service, regions and kernel compared with their peers, as ratios; a live session and annotations
// compared with their limits. Missing peers are named. quality, client, viewer (waiting times in Chromium, compared with OpenSeadragon on a DZI),
// transports (the same on slow links, by push, batches and single requests), channels, jpip, memory, edge, origins, objects, cluster, profiles and predictions take long and run by name only.
// Options are those of the one bench that is named: npm run bench edge -- --clients 8.
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
  channels: "shared/tools/bench/channels.mjs", // windows and channels of a mix, by WebGL and on the processor (decision 0033)
  service: "backend/bench/service.py",
  gallery: "backend/bench/gallery.py", // a catalog of 20,000 slides on SQLite and PostgreSQL
  regions: "backend/bench/regions.py", // beside iipsrv, large_image and openslide (decision 0026)
  client: "backend/bench/client.py", // patches of a remote slide, beside openslide on the local file
  annotations: "shared/tools/bench/annotations.mjs",
  registration: "backend/bench/sections.py", // sections whose map is known (decision 0035); `-- --peer` with SimpleITK beside
  overlays: "shared/tools/bench/overlays.mjs", // bytes and times of the file, then the viewer
  session: "backend/bench/session.py",
  viewer: "shared/tools/bench/viewer.mjs",
  transports: "shared/tools/bench/transports.mjs",
  jpip: "shared/tools/bench/jpip.mjs", // beside OpenHTJ2K's JPIP server and viewer (decision 0030); needs WAVESCOPE_BENCH_OPENHTJ2K
  memory: "shared/tools/bench/memory.mjs",
  edge: "backend/bench/classroom.py", // the classroom of the papers over a slow link
  origins: "backend/bench/origins.py", // several origins with replicas (decision 0015)
  predictions: "backend/bench/predictions.py", // the simulator beside the real classroom and cluster (decision 0024); the cluster needs root
  profiles: "backend/bench/profiles.py", // component times for the simulator (SI13); the parts of a cluster need root
  "ingest-cluster": "backend/bench/ingest_cluster.py", // 3 Dask workers against 1 (decision 0019); needs PostgreSQL and versitygw
  objects: "backend/bench/objects.py", // S3 against local disk (decision 0016); needs versitygw
  cluster: "backend/bench/distribution.py", // request distribution over nodes behind HAProxy (decision 0020); needs root
  codec: "backend/bench/codec/bench_codec.py", // npm run bench:codec
};
const NEEDED = { viewer: VIEWER_NEEDS, transports: VIEWER_NEEDS, jpip: VIEWER_NEEDS }; // the others go on without their peers
const USUAL = ["kernel", "ingest", "traffic", "service", "regions", "session", "annotations"];

command(async (args) => {
  const first = args.findIndex((arg) => arg.startsWith("-"));
  const names = first < 0 ? args : args.slice(0, first);
  const options = args.slice(names.length);
  if (options.length && names.length !== 1)
    throw new Stop(`${options[0]} is an option of one bench: name it before.`, "", 2);
  const wanted = names.length ? names : USUAL;
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
    const { code } = await run(script.endsWith(".mjs") ? process.execPath : inVenv("python"), [script, ...options], {
      stdio: "inherit",
    });
    if (code !== 0) console.error(`The bench ${name} ended with code ${code}.`);
    failed += code === 0 ? 0 : 1;
  }
  return failed ? 1 : 0;
});
