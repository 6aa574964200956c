import { afterEach, beforeEach, expect, it, vi } from "vitest";

beforeEach(() => void vi.resetModules());
afterEach(() => void vi.unstubAllGlobals());

/** The language and the locale for a stored choice and what the browser asks for. */
async function chosen(stored: string | null, ...languages: string[]): Promise<[string, string]> {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("navigator", { languages });
  vi.stubGlobal("localStorage", { getItem: () => stored });
  const { LANGUAGE, LOCALE } = await import("@wavescope/core/i18n/locale");
  return [LANGUAGE, LOCALE];
}

it.each([
  [null, ["de-CH", "en"], ["de", "de-CH"]],
  [null, ["fr", "de", "en-GB"], ["de", "de"]],
  [null, ["fr-FR", "nl"], ["en", "en"]],
  [null, ["en-GB", "de"], ["en", "en-GB"]],
  ["de", ["en-US"], ["de", "de"]],
  ["en", ["de-DE", "en-GB"], ["en", "en-GB"]],
  ["xx", ["de-DE"], ["de", "de-DE"]],
])("the choice %j and the languages %j of the browser make %j (LG1, LG2)", async (stored, languages, result) => {
  expect(await chosen(stored, ...languages)).toEqual(result);
});

it("is the browser's choice where it forbids storage, and English in a worker (LG1)", async () => {
  expect((await import("@wavescope/core/i18n/locale")).LANGUAGE).toBe("en");
  vi.resetModules();
  vi.stubGlobal("document", {});
  vi.stubGlobal("navigator", { languages: ["de"] });
  expect((await import("@wavescope/core/i18n/locale")).LANGUAGE).toBe("de");
});

it("texts of German come before English ones and stay; numbers are German, what is missing is English (LG2, LG3)", async () => {
  await chosen("de", "en-US");
  const { addText, t } = await import("@wavescope/core/i18n/i18n");
  await (await import("@wavescope/core/i18n/translated")).translated;
  addText("common.save", "Save");
  addText("common.lengthMm", "{{length}}\u202fmm");
  expect(t("common.save")).toBe("Speichern");
  expect(t("common.lengthMm", { length: 1234.5 })).toBe("1.234,5\u202fmm");
  expect(t("common.nothing" as "common.save", {}, "as the service says")).toBe("as the service says");
  expect(document.documentElement.lang).toBe("de");
  const { decimal, groupedNumber, withUnit } = await import("@wavescope/core/geometry/figures");
  expect([decimal("0.250"), decimal(12.5), groupedNumber(17_408)]).toEqual(["0,250", "12,5", "17.408"]);
  expect(withUnit(42, "%")).toBe("42\u202f%"); // in English without the space (LG9)
});

it("a problem of the service is explained by its type (LG5)", async () => {
  await chosen("de", "en-US");
  const { addTranslation } = await import("@wavescope/core/i18n/i18n");
  addTranslation({
    "problems.unknown-slide": "Dieses Präparat gibt es nicht.",
    "problems.out-of-range": "Außerhalb: {{detail}}",
  });
  const { problemText } = await import("@wavescope/core/wire/http/explain");
  expect(problemText("unknown-slide", "no slide he")).toBe("Dieses Präparat gibt es nicht.");
  expect(problemText("/problems/out-of-range", "x is 9")).toBe("Außerhalb: x is 9");
  expect(problemText("new-problem", "the service's words")).toBe("the service's words");
});

it("coordinates are typed with the decimal mark of the page (LG2)", async () => {
  await chosen("de", "en-US");
  const { parseDestination } = await import("@wavescope/viewer/navigation/goTo");
  const ruler = { mpp: { x: 0.5, y: 0.25 }, own: 20 };
  const at = (text: string) => parseDestination(text, ruler)?.centre;
  expect(at("1,5\u202fmm; 2\u202fmm")).toEqual({ l0_x: 3000, l0_y: 8000 });
  expect(at("12000, 8000")).toEqual({ l0_x: 12000, l0_y: 8000 });
  expect(at("12000,8000")).toEqual({ l0_x: 12000, l0_y: 8000 });
  expect(parseDestination("1,25x", ruler)?.scale).toBe(0.0625);
});
