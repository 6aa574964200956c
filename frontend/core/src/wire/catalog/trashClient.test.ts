import { afterEach, expect, it, vi } from "vitest";
import { ContractError } from "../http/errors";
import { stubFetch } from "../http/fetchStub";
import { servedSummary } from "../testing";
import { emptyTrash, listTrash, purgeSlide, restoreSlide } from "./trashClient";

afterEach(() => vi.unstubAllGlobals());

const times = { trashed: "2026-01-01T00:00:00Z", purged_after: "2026-01-31T00:00:00Z" };

it("lists the slides in the trash with the day on which each is deleted for good", async () => {
  const requested = stubFetch({ slides: [{ ...servedSummary({ id: "he", title: "Duct" }), ...times }] });
  const [slide] = await listTrash();
  expect(slide).toMatchObject({ id: "he", title: "Duct", trashed: times.trashed, purgedAfter: times.purged_after });
  expect(requested[0]!.line).toBe("GET /api/v1/trash");
});

it("refuses a slide without that day", async () => {
  stubFetch({ slides: [{ ...servedSummary(), trashed: times.trashed }] });
  const error = await listTrash().catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ContractError);
  expect(error).toMatchObject({ path: "/slides/0/purged_after", rule: "missing" });
});

it.each<[string, () => Promise<void>, unknown, string]>([
  ["restores a slide", () => restoreSlide("a/b"), servedSummary(), "POST /api/v1/trash/a%2Fb/restore"],
  ["deletes a slide for good", () => purgeSlide("a/b"), null, "DELETE /api/v1/trash/a%2Fb"],
  ["empties the trash", () => emptyTrash(), null, "DELETE /api/v1/trash"],
])("WI37, WI38: %s", async (_, act, response, line) => {
  const requested = stubFetch(response);
  await act();
  expect(requested).toEqual([{ line, body: null, revision: null }]);
});
