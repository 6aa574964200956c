import { describe, expect, it } from "vitest";
import {
  ContractError,
  CorruptError,
  CutStreamError,
  FileError,
  OfflineError,
  ProblemError,
  isAbort,
  isRefusal,
  mayRecover,
} from "./errors";
import { explain } from "./explain";
import "./ownWords";

const problem = (status: number, name = "x", detail = ""): ProblemError =>
  new ProblemError(name, status, "The title", detail);

describe("whether asking again may help", () => {
  it.each<[string, unknown, boolean]>([
    ["no connection", new OfflineError("x"), true],
    ["a cut stream", new CutStreamError("x"), true],
    ["502", problem(502), true],
    ["503", problem(503), true],
    ["504", problem(504), true],
    ["429", problem(429), true],
    ["500", problem(500), false],
    ["404", problem(404), false],
    ["bytes that are corrupt", new CorruptError("x"), false],
    ["a breach of the contract", new ContractError("GET /", "", "x"), false],
    ["a wrong file", new FileError("x"), false],
    ["an abort", new DOMException("x", "AbortError"), false],
    ["no error at all", undefined, false],
  ])("after %s", (_, error, helps) => {
    expect(mayRecover(error)).toBe(helps);
  });
});

describe("a refusal", () => {
  it.each([
    [400, false],
    [401, true],
    [403, true],
    [404, true],
    [410, false],
    [500, false],
  ])("is status %i: %s", (status, refused) => {
    expect(isRefusal(problem(status))).toBe(refused);
  });

  it("is no other error", () => {
    expect([new OfflineError("x"), { status: 404 }, null].map(isRefusal)).toEqual([false, false, false]);
  });
});

describe("words for a person", () => {
  it.each<[string, unknown, string]>([
    ["no connection", new OfflineError("ECONNREFUSED"), "The service does not answer."],
    ["a problem with words of its own", problem(401, "wrong-passcode", "raw"), "The passcode is wrong."],
    ["a problem with a detail", problem(400, "out-of-range", "x is 9"), "x is 9"],
    ["a problem without one", problem(400, "out-of-range"), "The title"],
    ["any error", new Error("plain"), "plain"],
    ["what is no error", "text", "text"],
    ["nothing", null, "null"],
  ])("for %s", (_, error, words) => {
    expect(explain(error)).toBe(words);
  });

  it("of a breach of the contract advise to reload and hide the details, which the log gets", () => {
    const error = new ContractError("GET /api/v1/slides", "/slides/0/id", "missing");
    expect(explain(error)).not.toMatch(/slides\/0/);
    expect(error.message).toBe("GET /api/v1/slides: /slides/0/id: missing");
    expect(new ContractError("session", "", "JSON").message).toBe("session: the document: JSON");
  });
});

it("the message of a problem is its detail, or its title", () => {
  expect([problem(400, "x", "why").message, problem(400).message]).toEqual(["why", "The title"]);
});

it("keeps the cause of a breach", () => {
  const cause = new SyntaxError("x");
  expect(new ContractError("a", "", "JSON", { cause }).cause).toBe(cause);
});

it("knows an abort by its class and name", () => {
  const errors = [new DOMException("x", "AbortError"), new DOMException("x", "NetworkError"), new Error("AbortError")];
  expect(errors.map(isAbort)).toEqual([true, false, false]);
});
