import { afterEach, describe, expect, it, vi } from "vitest";
import { ContractError, FileError, ProblemError } from "../http/errors";
import { problemResponse, stubFetch } from "../http/fetchStub";
import * as client from "./toursClient";

afterEach(() => vi.unstubAllGlobals());

const view = { l0_x: 1, l0_y: 2, l0_width: 30, l0_height: 20, rotation: 0, flip: false, plane: 0 };
const bare = { format: "wavescope-tour", version: 1, title: "Duct" };
const document = (waypoint: object) => ({ ...bare, waypoints: [{ id: "w1", view, ...waypoint }] });
const body = (tour: object) => ({
  id: "t1",
  slide_id: "he",
  case_id: null,
  revision: 3,
  created: "2026-01-01T00:00:00Z",
  updated: "2026-01-01T00:00:00Z",
  tour,
});

describe("TO1 to TO3: a tour in a file", () => {
  it("may leave out everything but its title", () => {
    expect(client.parseTour(bare)).toEqual({ title: "Duct", text: "", waypoints: [] });
  });

  it("gets the defaults of a waypoint", () => {
    expect(client.parseTour(document({})).waypoints).toEqual([
      { id: "w1", title: "", text: "", slide: null, view, annotations: [], marks: [] },
    ]);
  });

  it("TO7: gets the defaults of a mark", () => {
    const waypoint = client.parseTour(document({ marks: [{ kind: "point", l0_x: 5, l0_y: 6 }] })).waypoints[0]!;
    expect(waypoint.marks).toEqual([{ kind: "point", l0_x: 5, l0_y: 6, l0_width: 0, l0_height: 0, text: "" }]);
  });

  it.each([
    ["null", null, "This file is not a tour."],
    ["a number", 7, "This file is not a tour."],
    ["a list", [], "This file is not a tour."],
    ["another format", { ...bare, format: "wavescope-store" }, "This file is not a tour."],
    ["a later version", { ...bare, version: 2 }, "Tours of version 2 are not supported."],
    ["no version", { ...bare, version: undefined }, "This file is not a valid tour."],
    ["a title that is a number", { ...bare, title: 1 }, "This file is not a valid tour (at /title)."],
    ["a mark of no kind", document({ marks: [{ kind: "star", l0_x: 0, l0_y: 0 }] }), "(at /waypoints/0/marks/0/kind)"],
  ])("that is %s is a FileError with a reason", (_, read, reason) => {
    expect(() => client.parseTour(read)).toThrow(FileError);
    expect(() => client.parseTour(read)).toThrow(reason);
    expect(() => client.readTourFile(JSON.stringify(read))).toThrow(reason);
  });
});

it("a file that is not JSON is not a tour", () => {
  expect(() => client.readTourFile("<tour>")).toThrow(FileError);
  expect(() => client.readTourFile("<tour>")).toThrow("This file is not a tour.");
});

describe("TO8, TO9: tours of the service", () => {
  it.each([
    [{ slide: "he 1" }, "slide=he+1"],
    [{ case: "c1" }, "case=c1"],
  ])("are listed by their owner %j", async (owner, query) => {
    const requested = stubFetch({ tours: [] });
    expect(await client.listTours(owner)).toEqual([]);
    expect(requested[0]!.line).toBe(`GET /api/v1/tours?${query}`);
  });

  it("come with owner and revision", async () => {
    const requested = stubFetch(body(bare));
    expect(await client.readTour("t/1")).toEqual({
      id: "t1",
      slideId: "he",
      caseId: null,
      revision: 3,
      tour: { title: "Duct", text: "", waypoints: [] },
    });
    expect(requested[0]!.line).toBe("GET /api/v1/tours/t%2F1");
  });

  it("are created as a document of the format", async () => {
    const requested = stubFetch(body(bare));
    await client.createTour({ case: "c1" }, { title: "Duct", text: "", waypoints: [] });
    expect(requested[0]).toMatchObject({
      line: "POST /api/v1/tours?case=c1",
      body: { ...bare, text: "", waypoints: [] },
    });
  });

  it("are saved with the revision that they were changed from", async () => {
    const requested = stubFetch(body(bare));
    const tour = client.parseTour(document({ marks: [{ kind: "arrow", l0_x: 1, l0_y: 1, text: "here" }] }));
    await client.saveTour("t1", tour, 3);
    expect(requested[0]).toMatchObject({ line: "PUT /api/v1/tours/t1", revision: '"r3"' });
    expect(client.parseTour(requested[0]!.body), "what was sent reads as the same tour").toEqual(tour);
  });

  it("that were changed meanwhile are not overwritten", async () => {
    stubFetch(problemResponse(412, "stale-revision"));
    const saving = client.saveTour("t1", { title: "", text: "", waypoints: [] }, 1);
    await expect(saving).rejects.toThrow(ProblemError);
  });

  it("are deleted in the revision that was seen", async () => {
    const requested = stubFetch(null);
    await client.deleteTour("t1", 5);
    expect(requested).toEqual([{ line: "DELETE /api/v1/tours/t1", body: null, revision: '"r5"' }]);
  });

  it("break the contract without a revision", async () => {
    stubFetch({ ...body(bare), revision: undefined });
    const error = await client.readTour("t1").catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ path: "/revision", rule: "missing" });
  });

  it("have a file of their own", () => {
    expect(client.tourFile("t/1")).toBe("/api/v1/tours/t%2F1/file");
  });
});
