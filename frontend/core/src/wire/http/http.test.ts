import { describe, expect, it } from "vitest";
import { OfflineError, ProblemError, mayRecover } from "./errors";
import { explain } from "./explain";
import { parseProblem, request } from "./http";

const responding = (status: number, body: string) => () => Promise.resolve(new Response(body, { status }));

describe("request", () => {
  it("WI30: turns a problem document into a ProblemError with its fields", async () => {
    const body = JSON.stringify({
      type: "/problems/out-of-range",
      title: "Out of range",
      detail: "x is 9",
      parameter: "x",
    });
    const error = await request(responding(400, body), "/").catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ problem: "out-of-range", status: 400, detail: "x is 9", fields: { parameter: "x" } });
    expect(mayRecover(error)).toBe(false);
  });

  it("makes what can be made of an answer that is no problem document", () => {
    for (const body of ["", "<html>", "null", "[1"]) {
      const error = parseProblem(502, "Bad Gateway", body);
      expect(error).toMatchObject({ problem: "unknown", status: 502, title: "Bad Gateway" });
      expect(mayRecover(error)).toBe(true);
    }
  });

  it("calls a failed connection offline, and an abort an abort", async () => {
    const broken = () => Promise.reject(new TypeError("Failed to fetch"));
    const error = await request(broken, "/").catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OfflineError);
    expect(explain(error)).toMatch(/does not answer/);
    const aborted = () => Promise.reject(new DOMException("aborted", "AbortError"));
    await expect(request(aborted, "/")).rejects.toMatchObject({ name: "AbortError" });
  });
});
