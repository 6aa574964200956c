import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OfflineError, ProblemError } from "@wavescope/core/wire/http/errors";
import { openPage } from "../fakePage";
import { rendered } from "../rendered";
import { Instead, Status } from "./EdgePage";
import { sampleOf, statusOf } from "./testing";

beforeEach(() => void openPage("/edge"));
afterEach(() => void vi.unstubAllGlobals());

describe("the status page of an edge", () => {
  it("says in plain words that a service is no edge (PG31)", () => {
    const html = rendered(<Instead error={new ProblemError("not-an-edge", 404, "", "")} />);
    expect(html).toContain("This service is not an edge");
    expect(html).toContain("wavescope edge --origin URL");
  });

  it("waits for an edge that does not answer (PG31)", () => {
    expect(rendered(<Instead error={new OfflineError("gone")} />)).toContain('data-kind="waiting"');
  });

  it("shows what the last minute was like, and the cache (PG30)", () => {
    const samples = [sampleOf(1), sampleOf(2, { memory_hits: 9, misses: 1, hit_bytes: 9000, missed_bytes: 1000 })];
    const html = rendered(<Status status={statusOf(samples)} responds />);
    expect(html).toContain("90%");
    expect(html).toContain("5.0\u202fkB/s"); // 10 kB in 2 s to clients
    expect(html).toContain("500\u202fB/s"); // from the origin
    expect(html).toContain("of 1.0\u202fkB");
    expect(html).toContain("Policy: sieve");
    expect(html).toContain("https://slides.example.org");
    expect(html).not.toContain("origins-lost");
  });

  it("says that no origin answers, and that the edge does not (PG31)", () => {
    const [origin] = statusOf([]).origins;
    const lost = { ...origin!, state: "out" as const, reason: "silent", failures: { ClientConnectorError: 3 } };
    const html = rendered(
      <Status status={statusOf([sampleOf(1)], { lost: true, origins: [lost] })} responds={false} />,
    );
    expect(html).toContain("No origin answers");
    expect(html).toContain("not answering: silent");
    expect(html).toContain("ClientConnectorError: 3");
    expect(html).toContain("The edge does not answer");
  });
});
