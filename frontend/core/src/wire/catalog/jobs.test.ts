import { expect, it } from "vitest";
import { servedJob } from "../testing";
import { type JobState, hasEnded, jobOf } from "./jobs";

it("WI26: a job as served becomes a job of the page", () => {
  const error = { type: "t", title: "Failed", detail: "not a slide" };
  const served = servedJob({
    state: "failed",
    slide_id: "he",
    seconds_left: 4.5,
    stored_as: ["a"],
    notices: ["n"],
    error,
  });
  expect(jobOf(served)).toEqual({
    id: "j",
    state: "failed",
    filename: "a.svs",
    slideId: "he",
    done: 1,
    total: 2,
    secondsLeft: 4.5,
    quality: "visual",
    channelQuality: "visual",
    time: 1,
    reencodes: null,
    storedAs: ["a"],
    notices: ["n"],
    error,
  });
});

it.each<[JobState, boolean]>([
  ["held", false],
  ["queued", false],
  ["running", false],
  ["done", true],
  ["failed", true],
  ["cancelled", true],
])("WI26: a job that is %s has ended: %s", (state, ended) => {
  expect(hasEnded(jobOf(servedJob({ state })))).toBe(ended);
});
