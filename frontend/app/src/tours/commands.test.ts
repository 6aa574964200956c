import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Waypoint } from "@wavescope/core/wire/catalog/toursClient";
import { testManifest } from "@wavescope/core/wire/testing";
import { type FakePage, openPage } from "../fakePage";
import { cacheTour } from "../microscope/openTour";
import type { SlideContext } from "../microscope/parts";
import { queryClient } from "../state/queries";
import { tourCommands } from "./commands";

const waypoint = (id: string, slide: string | null): Waypoint => ({
  id,
  title: id,
  text: "",
  slide,
  view: {},
  annotations: [],
  marks: [],
});
const waypoints = [waypoint("a", null), waypoint("b", "er"), waypoint("c", null)];
const context = { manifest: testManifest({ id: "he" }) } as SlideContext;
const command = (id: string) => tourCommands.find((one) => one.id === `tour.${id}`)!;

let page: FakePage;
beforeEach(() => {
  page = openPage("/slides/he?tour=t1&step=1&case=c1");
  queryClient.clear();
  cacheTour({ id: "t1", slideId: "he", caseId: null, revision: 1, tour: { title: "Duct", text: "", waypoints } });
});
afterEach(() => vi.unstubAllGlobals());

it("are offered only where they lead somewhere", () => {
  const offered = (): string[] => tourCommands.filter((one) => one.available!(context)).map(({ id }) => id);
  expect(offered()).toEqual(["tour.next", "tour.previous", "tour.leave"]);
  openPage("/slides/he?tour=t1&step=2");
  expect(offered()).toEqual(["tour.previous", "tour.leave"]);
  openPage("/slides/he");
  expect(offered()).toEqual([]);
});

it("go to the next stop and back, and leave", () => {
  command("next").run(context);
  expect(page.address).toBe("/slides/he?case=c1&tour=t1&step=2");
  command("previous").run(context);
  expect(page.address).toBe("/slides/er?case=c1&tour=t1&step=1");
  command("leave").run(context);
  expect(page.address).toBe("/slides/he?case=c1");
});

it("do nothing beyond the last stop", () => {
  openPage("/slides/he?tour=t1&step=2");
  command("next").run(context);
  expect(location.search).toBe("?tour=t1&step=2");
});
