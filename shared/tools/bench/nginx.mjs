// nginx, which serves the peer's files: on loopback, out of a folder of ours.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Stop, launch, run } from "../repository.mjs";
import { freePort } from "./browser.mjs";

/**
 * Serves `www` of a folder and a service over HTTP/2, each by a port of its own; gives their addresses. What is in the buffer of a socket comes
 * before all other answers: that of loopback would hold a whole one, so it is smaller.
 */
export async function startHttp2(folder, service) {
  const [certificate, key] = ["certificate.pem", "key.pem"].map((name) => join(folder, name));
  const kind = ["-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-days", "2"];
  const name = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const made = await run("openssl", ["req", ...kind, ...name, "-out", certificate, "-keyout", key]);
  if (made.code !== 0) throw new Stop("openssl made no certificate.", made.output);
  const [own, files] = [await freePort(), await freePort()];
  const secure = `ssl_certificate ${certificate}; ssl_certificate_key ${key};`;
  const forwarded = `proxy_pass ${service}; proxy_http_version 1.1; proxy_buffering off; proxy_set_header Host $http_host;
       proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $upgraded;`;
  await startNginx(
    folder,
    `map $http_upgrade $upgraded { default upgrade; '' ''; }
     server { listen 127.0.0.1:${own} ssl http2 sndbuf=64k; ${secure} client_max_body_size 0; location / { ${forwarded} } }
     server { listen 127.0.0.1:${files} ssl http2 sndbuf=64k; ${secure} ${filesOf(folder)} }`,
  );
  return { service: `https://127.0.0.1:${own}`, peer: `https://127.0.0.1:${files}` };
}

const filesOf = (folder) =>
  `root ${join(folder, "www")}; location / { expires 1h; } location = /favicon.ico { return 204; }`;

/** Serves `www` of a folder; gives its address. It ends with this command. Stops at once if it ends or does not give the first page. `more`: other servers of its. */
export async function startNginx(folder, more = "") {
  const port = await freePort();
  const config = join(folder, "nginx.conf");
  const scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(folder, "nginx")}/${name};`)
    .join(" ");
  mkdirSync(join(folder, "nginx"), { recursive: true });
  // Started by root, its workers would be another user, for whom a temporary folder is closed.
  const user = process.getuid?.() === 0 ? "user root; " : "";
  writeFileSync(
    config,
    `${user}daemon off; pid ${join(folder, "nginx.pid")}; error_log stderr error; events {}
     http { ${scratch} access_log off; sendfile on; keepalive_requests 100000; gzip on; gzip_types application/javascript text/xml application/xml;
       types { text/html html; application/javascript js; image/jpeg jpg jpeg; application/xml dzi; }
       server { listen 127.0.0.1:${port}; ${filesOf(folder)} } ${more} }\n`,
  );
  const child = launch("nginx", ["-c", config], { stdio: ["ignore", "ignore", "inherit"] });
  let failure = null;
  child.once("error", (cause) => (failure = cause.message));
  child.once("exit", (code) => (failure ??= `it ended with code ${code}`));
  const address = `http://127.0.0.1:${port}`;
  for (let i = 0; i < 100 && failure === null; i += 1, await sleep(50)) {
    const answer = await fetch(`${address}/`).catch(() => null);
    if (answer?.ok) return address;
    if (answer) failure = `it answers ${answer.status} to ${address}/, a file of ${join(folder, "www")}`;
  }
  throw new Stop(`nginx does not serve the peer's files: ${failure ?? "it did not start within 5 s"}.`);
}
