import { expect, it } from "vitest";
import { dateLabel } from "./dates";

const TIME = new Date(2026, 10, 22, 14, 5, 9).getTime();

it("writes one style of date, to the detail that is asked for", () => {
  expect((["day", "minute", "second", "clock"] as const).map((detail) => dateLabel(TIME, detail, "en-GB"))).toEqual([
    "22 Nov 2026",
    "22 Nov 2026, 14:05",
    "22 Nov 2026, 14:05:09",
    "14:05",
  ]);
});

it.each([
  ["en-US", "Nov 22, 2026, 02:05 PM"],
  ["de", "22. Nov. 2026, 14:05"],
])("writes dates as they are read in %s", (locale, label) => {
  expect(dateLabel(TIME, "minute", locale).replaceAll(/\s/g, " ")).toBe(label);
});

it("takes the service's text for a time, and shows what is no time as it is", () => {
  expect(dateLabel(new Date(TIME).toISOString(), "minute", "en-GB")).toBe("22 Nov 2026, 14:05");
  expect(dateLabel("some day")).toBe("some day");
});
