// The software bill of materials as CycloneDX 1.6: the npm packages in the page, the kernel, the Python packages beside the wheel.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { at } from "../repository.mjs";

const npmRef = ({ name, version }) => `pkg:npm/${name.replace("@", "%40")}@${version}`;
const pythonRef = ({ name, version }) => `pkg:pypi/${name.toLowerCase().replaceAll(/[-_.]+/g, "-")}@${version}`;
/** An SPDX expression, or the name that a package gives its licence. */
const SPDX = /^\(?[A-Za-z0-9.+-]+( (AND|OR|WITH) \(?[A-Za-z0-9.+-]+\)?)*\)?$/;
const licenses = (license) => [SPDX.test(license) ? { expression: license } : { license: { name: license } }];

function hashes(integrity) {
  const [, algorithm, value] = /^sha(\d+)-(.+)$/.exec(integrity ?? "") ?? [];
  return algorithm
    ? { hashes: [{ alg: `SHA-${algorithm}`, content: Buffer.from(value, "base64").toString("hex") }] }
    : {};
}

/** The same for the same parts: without a time, and with a serial number that is made of the content. */
export function sbom({ version, page, built, python }) {
  const kernel = wasmComponent({
    name: "kernel.wasm",
    version,
    license: "Apache-2.0",
    file: "shared/kernel/build/kernel.wasm",
  });
  const libraries = built.map(wasmComponent);
  const own = {
    type: "application",
    "bom-ref": `pkg:pypi/wavescope@${version}`,
    name: "wavescope",
    version,
    purl: `pkg:pypi/wavescope@${version}`,
    licenses: licenses("Apache-2.0"),
  };
  const components = [kernel, ...libraries, ...page.map(npmComponent), ...python.map(pythonComponent)];
  const direct = [
    ...[kernel, ...libraries].map((one) => one["bom-ref"]),
    ...page.map(npmRef),
    ...python.filter((one) => one.direct).map(pythonRef),
  ];
  const dependencies = [
    { ref: own["bom-ref"], dependsOn: [...new Set(direct)] },
    ...needed(page, npmRef),
    ...needed(python, pythonRef),
  ];
  const content = {
    metadata: { component: own },
    components: unique(components),
    dependencies: unique(dependencies, "ref"),
  };
  const serial = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  return { bomFormat: "CycloneDX", specVersion: "1.6", serialNumber: uuid(serial), version: 1, ...content };
}

function wasmComponent({ name, version, license, file }) {
  const content = createHash("sha256")
    .update(readFileSync(at(file)))
    .digest("hex");
  const built = { hashes: [{ alg: "SHA-256", content }], licenses: licenses(license) };
  return { type: "library", "bom-ref": name, name, version, ...built };
}

function npmComponent(one) {
  const group = one.name.startsWith("@") ? { group: one.name.split("/")[0] } : {};
  const name = one.name.split("/").at(-1);
  const described = { ...group, name, version: one.version, scope: "required", ...hashes(one.integrity) };
  return { type: "library", "bom-ref": npmRef(one), ...described, licenses: licenses(one.license), purl: npmRef(one) };
}

function pythonComponent(one) {
  const described = { name: one.name, version: one.version, scope: one.scope, licenses: licenses(one.license) };
  return { type: "library", "bom-ref": pythonRef(one), ...described, purl: pythonRef(one) };
}

/** Each package with those of the list that it needs. */
function needed(packages, refOf) {
  const byName = new Map(packages.map((one) => [one.name, refOf(one)]));
  return packages.map((one) => ({
    ref: refOf(one),
    dependsOn: [...new Set(one.needs.map((name) => byName.get(name)).filter(Boolean))],
  }));
}

const unique = (list, key = "bom-ref") => [...new Map(list.map((one) => [one[key], one])).values()];
const uuid = (hex) =>
  `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
