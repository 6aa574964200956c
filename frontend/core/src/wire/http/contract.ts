/** What comes from the service, checked against the contract (shared/wire) by generated validators. */
import type { Fault, Validator } from "../generated/contract";
import { ContractError } from "./errors";

/**
 * The document as the type that the contract gives it: one of `validators` accepts it. Throws ContractError. `source` names where it
 * came from: `GET /api/v1/slides`, `session`. Members that the contract does not name are left as they are.
 */
export function checked<T>(document: unknown, validators: Validator<T> | readonly Validator<T>[], source: string): T {
  const all = Array.isArray(validators) ? (validators as readonly Validator<T>[]) : [validators as Validator<T>];
  let fault: Fault | undefined;
  for (const validator of all) {
    if (validator(document)) return document;
    fault = validator.errors?.[0];
  }
  throw contractError(source, fault);
}

function contractError(source: string, fault: Fault | undefined): ContractError {
  const missing = fault?.params?.missingProperty;
  const path = `${fault?.instancePath ?? ""}${missing === undefined ? "" : `/${missing}`}`;
  return new ContractError(source, path, missing === undefined ? (fault?.keyword ?? "") : "missing");
}

/** The document that the text is. Throws ContractError. */
export function parsedJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ContractError(source, "", "JSON", { cause });
  }
}
