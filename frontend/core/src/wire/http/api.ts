/** Calls of the service's API as its contract describes them: path, query, body and answer of each operation. */
import type { Validator } from "../generated/contract";
import { type Answers, FIRST_ANSWERS, type Operations } from "../generated/operations";
import { checked, parsedJson } from "./contract";
import { OfflineError } from "./errors";
import { type Fetch, bytesOf, request } from "./http";
import type { Fixed } from "./json";

export const API = "/api/v1";
const browserFetch: Fetch = (input, init) => fetch(input, init);

/** `GET /slides/{slide_id}` */
export type Operation = keyof Operations;
export type ResponseOf<K extends Operation> = Operations[K]["answer"];

type Names<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Needed<Key extends string, T> = [T] extends [never]
  ? { readonly [K in Key]?: undefined }
  : { readonly [K in Key]: T };
type Value = string | number | boolean;

/** What an operation is called with; `path` and `body` where it has them. */
export type Call<K extends Operation> = Needed<
  "path",
  [Names<K>] extends [never] ? never : Readonly<Record<Names<K>, Value>>
> &
  Needed<"body", Fixed<Operations[K]["body"]>> & {
    /** A list stands for a parameter that is given several times; undefined for one that is not given. */
    readonly query?: { readonly [Name in Operations[K]["query"]]?: Value | readonly Value[] | undefined };
    /** What a change was made from; the service refuses it if that is not the newest. */
    readonly revision?: number;
    readonly signal?: AbortSignal;
    /** Called with the headers of a response of the 2xx kind. */
    readonly responded?: (headers: Headers) => void;
    /** For tests. */
    readonly fetcher?: Fetch;
  };

type Arguments<K extends Operation> = Record<string, never> extends Call<K> ? [call?: Call<K>] : [call: Call<K>];

/** Carries an operation out. Throws ContractError for an answer that breaks the contract, and what `request` throws. */
export async function call<K extends Operation>(operation: K, ...[options]: Arguments<K>): Promise<ResponseOf<K>> {
  const given = (options ?? {}) as Partial<Call<Operation>>;
  const { path, query, body, revision, signal, responded, fetcher = browserFetch } = given;
  const [method, template] = operation.split(" ") as [string, string];
  const url = `${API}${filled(template, path ?? {})}${queryOf(query ?? {})}`;
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (revision !== undefined) headers["If-Match"] = `"r${revision}"`;
  const init: RequestInit = { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) };
  const validators = validatorsOf(operation);
  validators.catch(() => null); // an error of the request comes first
  const response = await request(fetcher, url, init);
  responded?.(response.headers);
  if (response.status === 204) return null;
  const source = `${method} ${url}`;
  const document = parsedJson(new TextDecoder().decode(await bytesOf(response)), source);
  return checked<unknown>(document, await validators, source) as ResponseOf<K>;
}

type Validators = readonly Validator<unknown>[];

const known: Partial<Record<Operation, Validators>> = { ...FIRST_ANSWERS };

/** A page brings the validators of the operations that it calls at once. */
export function addAnswers<K extends Operation>(answers: Answers<K>): void {
  Object.assign(known, answers);
}

/** Those of most operations come in a chunk of their own, while the answer is on its way. Rejects with OfflineError. */
async function validatorsOf(operation: Operation): Promise<Validators> {
  const here = known[operation];
  if (here) return here;
  try {
    const { LATER_ANSWERS } = await import("../generated/laterAnswers");
    return LATER_ANSWERS[operation as keyof typeof LATER_ANSWERS];
  } catch (cause) {
    throw new OfflineError("a part of the page could not be loaded", { cause });
  }
}

function filled(template: string, values: Readonly<Record<string, Value>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]!));
}

function queryOf(values: Readonly<Record<string, Value | readonly Value[] | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) query.append(name, String(item));
  return query.size > 0 ? `?${query}` : "";
}

/** Brings answers that never change into the browser's cache. */
export async function fetchAhead(urls: readonly string[], signal: AbortSignal): Promise<void> {
  await Promise.all(urls.map(async (url) => bytesOf(await request(browserFetch, url, { signal }))));
}

/** A component of a path. */
export const part = (text: string): string => encodeURIComponent(text);
