import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StoredTour, Waypoint } from "@wavescope/core/wire/catalog/toursClient";
import { problemResponse, stubFetch } from "@wavescope/core/wire/http/fetchStub";
import { cacheTour } from "../../microscope/openTour";
import { openPage } from "../../fakePage";
import { queryClient } from "../../state/queries";
import { type Scene, addressOfScene, areSameSlides, isSamePage, linkOf, sceneAt, sharedLink } from "./stage";

const waypoint = (id: string): Waypoint => ({
  id,
  title: "",
  text: "",
  slide: null,
  view: {},
  annotations: [],
  marks: [],
});
const tour: StoredTour = {
  id: "t1",
  slideId: "he",
  caseId: null,
  revision: 1,
  tour: { title: "Duct", text: "", waypoints: [waypoint("a"), waypoint("b")] },
};

function at(address: string): Scene | null {
  const { pathname, search, hash } = new URL(address, "http://page.test");
  return sceneAt({ pathname, search, hash });
}

beforeEach(() => {
  queryClient.clear();
  openPage("/slides/he");
});
afterEach(() => vi.unstubAllGlobals());

const two = { slide: "er", mode: "side", swapped: false, link: null, more: [], swiped: [0, 1], marks: [] } as const;

describe("what a page shows", () => {
  it.each<[string, Scene | null]>([
    ["/", null],
    ["/trash", null],
    ["/cases/c", null],
    ["/compare", null],
    ["/compare?slide=he", null],
    ["/slides/he%201", { slide: "he 1", pair: null, tour: null }],
    ["/slides/he?tour=t1&step=1", { slide: "he", pair: null, tour: { id: "t1", waypoint: "b" } }],
    ["/slides/he?tour=t1", { slide: "he", pair: null, tour: { id: "t1", waypoint: "a" } }],
    ["/slides/he?tour=t1&step=9", { slide: "he", pair: null, tour: null }],
    ["/slides/he?tour=unknown&step=0", { slide: "he", pair: null, tour: null }],
    [
      "/compare?slide=he&slide=er&mode=swipe#link=off&swapped=1",
      { slide: "he", pair: { ...two, mode: "swipe", swapped: true }, tour: null },
    ],
    ["/compare?left=he&right=er", { slide: "he", pair: two, tour: null }],
    [
      "/compare?slide=he&slide=er&slide=pr#marks=1,2,,,3,4&swiped=bc",
      {
        slide: "he",
        pair: {
          ...two,
          more: [{ slide: "pr", link: null }],
          swiped: [1, 2],
          marks: [[{ l0_x: 1, l0_y: 2 }, null, { l0_x: 3, l0_y: 4 }]],
        },
        tour: null,
      },
    ],
  ])("%s", (address, scene) => {
    cacheTour(tour);
    expect(at(address)).toEqual(scene);
  });

  it("a link in the address is shared as a similarity", () => {
    const scene = at("/compare?slide=he&slide=er#link=10,20,2,90,1,1.5,1");
    expect(scene?.pair?.link).toMatchObject({
      l0_dx: 10,
      l0_dy: 20,
      scale: 2,
      rotation: 90,
      mirrored: true,
      plane_shift: 1,
      zoom: 1.5,
    });
  });
});

const he: Scene = { slide: "he", pair: null, tour: null };
const pair: Scene = { slide: "he", pair: two, tour: null };
const step = (waypoint: string): Scene => ({ ...he, tour: { id: "t1", waypoint } });

describe("two scenes", () => {
  it.each<[string, Scene | null, Scene, boolean, boolean]>([
    ["nothing and a slide", null, he, false, false],
    ["a slide and itself", he, { ...he }, true, true],
    ["two slides", he, { ...he, slide: "er" }, false, false],
    ["a slide and a comparison", he, pair, false, false],
    ["two arrangements of a comparison", pair, { ...pair, pair: { ...pair.pair!, mode: "swipe" } }, true, true],
    [
      "two slides and three",
      pair,
      { ...pair, pair: { ...pair.pair!, more: [{ slide: "pr", link: null }] } },
      false,
      false,
    ],
    ["a slide with and without a tour", he, step("a"), false, true],
    ["two stops of a tour", step("a"), step("b"), false, true],
    ["one stop", step("a"), step("a"), true, true],
  ])("%s: same page and same slides", (_, one, other, page, slides) => {
    expect([isSamePage(one, other), areSameSlides(one, other)]).toEqual([page, slides]);
  });
});

describe("the address of a scene", () => {
  it.each<[string, Scene, object]>([
    ["a slide", { ...he, slide: "he 1" }, { path: "/slides/he%201", query: {} }],
    ["a comparison", pair, { path: "/compare", query: { slide: ["he", "er"] } }],
    [
      "a swipe",
      { ...pair, pair: { ...pair.pair!, mode: "swipe" } },
      { path: "/compare", query: { slide: ["he", "er"], mode: "swipe" } },
    ],
    ["a stop of a tour that is open", step("b"), { path: "/slides/he", query: { tour: "t1", step: "1" } }],
    ["a stop that is gone", step("z"), { path: "/slides/he", query: {} }],
  ])("of %s", async (_, scene, address) => {
    stubFetch(problemResponse(404, "unknown-tour"));
    cacheTour(tour);
    expect(await addressOfScene(scene)).toEqual(address);
  });

  it("of a stop of a tour that is not open yet asks for the tour", async () => {
    const body = { id: "t1", slide_id: "he", case_id: null, revision: 1, created: "2026-01-01T00:00:00Z" };
    const served = {
      title: "Duct",
      waypoints: [
        { id: "a", view: {} },
        { id: "b", view: {} },
      ],
    };
    const requested = stubFetch({ ...body, updated: "2026-01-01T00:00:00Z", tour: served });
    expect((await addressOfScene(step("b"))).query).toEqual({ tour: "t1", step: "1" });
    expect(requested.map(({ line }) => line)).toEqual(["GET /api/v1/tours/t1"]);
  });

  it("of a tour that may not be seen shows its slide, and asks once", async () => {
    const requested = stubFetch(problemResponse(403, "forbidden"));
    expect(await addressOfScene(step("b"))).toEqual({ path: "/slides/he", query: {} });
    expect(requested).toHaveLength(1);
  });
});

describe("the case of this window", () => {
  const slides = [{ id: "he" }, { id: "er" }];
  beforeEach(() => {
    openPage("/slides/he?case=c1");
    queryClient.setQueryData(["case", "c1"], { id: "c1", slides });
  });

  it("stays open in a comparison of its slides, and on the way back", async () => {
    expect((await addressOfScene(pair)).query).toEqual({ case: "c1", slide: ["he", "er"] });
    expect((await addressOfScene(he)).query).toEqual({ case: "c1" });
  });

  it("is left for a slide that is not in it", async () => {
    expect((await addressOfScene({ ...he, slide: "other" })).query).toEqual({});
  });
});

it("a shared link comes back as the link it was, where it is a similarity", () => {
  const registration = {
    scale: 2,
    rotation: 30,
    mirrored: true,
    stretch: 0,
    shear: 0,
    planeStep: 0.5,
    planeShift: 1,
    l0_dx: 7,
    l0_dy: -8,
  };
  const back = linkOf(sharedLink({ registration, zoom: 1.5 }, { l0_x: 100, l0_y: 50 }));
  expect(back.zoom).toBe(1.5);
  for (const [name, value] of Object.entries(registration))
    if (typeof value === "number") expect(back.registration[name as "scale"], name).toBeCloseTo(value, 9);
  expect(back.registration.mirrored).toBe(true);
});
