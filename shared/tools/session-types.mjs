// Writes the page's types of the live session's messages out of shared/wire/session.schema.json; with --check it only compares.
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { at, command } from "./repository.mjs";

const SCHEMA = at("shared/wire/session.schema.json");
const TYPES = at("frontend/src/wire/generated/session.ts");
const BANNER =
  "/* eslint-disable */\n// Made of shared/wire/session.schema.json by shared/tools/generate-wire.mjs. Not to be changed by hand.";

command(async ([flag]) => {
  const { compile } = createRequire(at("frontend/package.json"))("json-schema-to-typescript");
  const types = await compile(JSON.parse(readFileSync(SCHEMA, "utf8")), "SessionWire", {
    bannerComment: BANNER,
    ignoreMinAndMaxItems: true,
    style: { printWidth: 120, trailingComma: "all" },
  });
  if (flag !== "--check") writeFileSync(TYPES, types);
  else if (readFileSync(TYPES, "utf8") !== types) {
    console.error("The types of the session's messages are not up to date; run: node shared/tools/generate-wire.mjs");
    return 1;
  }
});
