// The schemas of the wire in the one form that the generators of types and of validators read: definitions by name (draft 7),
// and the operations that use them.

/** What the service demands of a text that it is sent. An answer is not refused for it. */
const OF_TEXT = ["minLength", "maxLength", "pattern", "format"];
const METHODS = ["get", "post", "put", "patch", "delete"];
const JSON_TYPE = "application/json";
const API = "/api/v1";
const UNIONS = { client: "ClientMessage", server: "ServerMessage", entry: "RecordingEntry" };

/**
 * `{definitions, operations}` of both contracts. An operation is `{name: "GET /slides/{slide_id}", query, body, answer}`, where
 * `query` lists the names of its parameters, `body` and `answer` those of definitions (more than one: either of them).
 *
 * Members that a schema does not name pass (SE12): with `additionalProperties: false` the service says what it accepts, not what
 * it sends. Definitions of one name in both contracts are the same; if not, this throws.
 */
export function readContracts(openapi, session) {
  const definitions = {};
  const define = (name, schema) => {
    if (name in definitions && !same(definitions[name], schema))
      throw new Error(`${name} has two meanings in openapi.json and session.schema.json`);
    definitions[name] ??= schema;
  };
  for (const [name, schema] of Object.entries(session.$defs)) define(name, plainOf(schema));
  for (const [name, schema] of Object.entries(openapi.components.schemas)) define(name, plainOf(schema));
  for (const [name, union] of Object.entries(UNIONS)) define(union, plainOf(session.properties[name]));
  const operations = operationsOf(openapi, (schema) => hoist(schema, definitions));
  return { definitions: mapObject(definitions, (schema) => tagged(schema, definitions)), operations };
}

function operationsOf(openapi, bodyName) {
  const operations = [];
  for (const [path, methods] of Object.entries(openapi.paths)) {
    if (!path.startsWith(`${API}/`)) continue;
    for (const method of METHODS.filter((one) => one in methods)) {
      const { parameters = [], requestBody, responses } = methods[method];
      const [status, success] = Object.entries(responses).find(([code]) => code.startsWith("2")) ?? [];
      const answer = success?.content?.[JSON_TYPE]?.schema;
      if (answer ? answer.type === "object" : status !== "204") continue; // of another protocol: the page does not read it
      const body = requestBody?.content[JSON_TYPE]?.schema;
      operations.push({
        name: `${method.toUpperCase()} ${path.slice(API.length)}`,
        query: parameters.filter((one) => one.in === "query").map((one) => one.name),
        body: body ? [bodyName(body)] : [],
        answer: answer ? (answer.anyOf ?? [answer]).map(({ $ref }) => nameOf($ref)) : [],
      });
    }
  }
  return operations;
}

/**
 * Bodies of requests are described where they are used, parts and all. Gives the name of the definition of one: its title, with
 * `Input` behind it where an answer of that title differs (members with a default may be left out of a request).
 */
function hoist(schema, definitions) {
  if (schema.$ref) return nameOf(schema.$ref);
  const visit = (part) => {
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== "object" || part === null) return part;
    return part.title && part.properties ? { $ref: hoist(part, definitions) } : mapObject(part, visit);
  };
  const plain = plainOf({ ...schema, properties: mapObject(schema.properties, visit) });
  const name = [schema.title, `${schema.title}Input`].find((one) => !definitions[one] || same(definitions[one], plain));
  if (!name) throw new Error(`bodies named ${schema.title} differ`);
  definitions[name] ??= plain;
  return name;
}

const nameOf = (reference) => reference.split("/").at(-1);

/** Without titles, which would become types of their own, defaults, demands on texts, and what closes objects. */
function plainOf(schema) {
  if (Array.isArray(schema)) return schema.map(plainOf);
  if (typeof schema !== "object" || schema === null) return schema;
  const plain = {};
  for (const [key, value] of Object.entries(schema)) {
    if (["title", "default", "discriminator", ...OF_TEXT].includes(key)) continue;
    if (key === "additionalProperties" && (value === false || schema.properties)) continue;
    if (key === "properties") plain.properties = mapObject(value, plainOf);
    else if (key === "$ref") plain.$ref = `#/definitions/${nameOf(value)}`;
    else if (key === "prefixItems") Object.assign(plain, { items: plainOf(value), additionalItems: false });
    else plain[key] = ["const", "enum", "required"].includes(key) ? value : plainOf(value);
  }
  return orNull(plain);
}

/** "A string or null" in one step, where the value that may be null has a type and nothing that speaks against null. */
function orNull({ anyOf, ...rest }) {
  const [value, empty, more] = anyOf ?? [];
  if (empty?.type !== "null" || more || typeof value.type !== "string" || value.enum)
    return anyOf ? { anyOf, ...rest } : rest;
  return { ...value, ...rest, type: [value.type, "null"] };
}

/** A union of objects that one member tells apart says so: a validator looks at one branch only, and names the fault in it. */
function tagged(schema, definitions) {
  if (Array.isArray(schema)) return schema.map((one) => tagged(one, definitions));
  if (typeof schema !== "object" || schema === null) return schema;
  const plain = mapObject(schema, (one) => tagged(one, definitions));
  const branches = plain.oneOf?.map(({ $ref = "" }) => definitions[nameOf($ref)]);
  const tag = branches && ["type", "kind"].find((name) => branches.every((one) => one?.properties?.[name]?.const));
  return tag ? { type: "object", discriminator: { propertyName: tag }, ...plain } : plain;
}

const same = (one, other) => canonical(one) === canonical(other);

/** As text, without what is only for readers. */
function canonical(value) {
  return JSON.stringify(value, (key, part) => {
    if (key === "description" && typeof part === "string") return undefined;
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

const mapObject = (object, work) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, work(value)]));
