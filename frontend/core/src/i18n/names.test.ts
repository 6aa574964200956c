import { expect, it } from "vitest";
import { addTranslation } from "./i18n";
import { ownName } from "./names";

it("what the service names is in the language of the page, and as it is where the catalogue lacks it (LG5)", () => {
  expect(ownName("Tables 7 and 8")).toBe("Tables 7 and 8");
  expect(ownName("must_change", "must change")).toBe("must change");
  addTranslation({ "names.Tables-7-and-8": "Tabellen 7 und 8", "names.must-change": "neues Passwort verlangt" });
  expect(ownName("Tables 7 and 8")).toBe("Tabellen 7 und 8");
  expect(ownName("must_change", "must change")).toBe("neues Passwort verlangt");
});
