import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const OVER_SLIDE = "lies over the slide, which has no direction of reading: hands find it where it always is";
const AT_POINT = "is placed by a point of the picture";

/** Files with things that keep their side whichever way is read, and why. */
const KEPT: Readonly<Record<string, string>> = {
  "app/src/compare/alignment.module.css": AT_POINT,
  "app/src/compare/compare.module.css": OVER_SLIDE,
  "app/src/compare/landmarks.module.css": AT_POINT,
  "app/src/compare/Divider.tsx": AT_POINT,
  "app/src/compare/MappedPointers.tsx": AT_POINT,
  "app/src/compare/Pins.tsx": AT_POINT,

  "app/src/microscope/banner.module.css": OVER_SLIDE,
  "app/src/microscope/controls.module.css": OVER_SLIDE,
  "app/src/microscope/description/description.module.css": OVER_SLIDE,
  "app/src/microscope/focus/focus.module.css": OVER_SLIDE,
  "app/src/microscope/navigation/navigation.module.css": OVER_SLIDE,
  "app/src/microscope/notices.module.css": OVER_SLIDE,
  "app/src/microscope/overviewButtons.module.css": OVER_SLIDE,
  "app/src/settings/settings.module.css": OVER_SLIDE,
  "app/src/slide/annotate/annotate.module.css": OVER_SLIDE,
  "app/src/slide/calibration/calibration.module.css": OVER_SLIDE,
  "app/src/slide/menu/PictureMenu.tsx": AT_POINT,
  "app/src/tours/tours.module.css": OVER_SLIDE,
};

/** A side by its name, or a shorthand with another value for the left than for the right. */
const IN_STYLES = [
  /(?<![\w-])(?:(?:margin|padding|border)-)?(?:left|right)(?:-(?:width|color|style))?\s*:/,
  /(?:text-align|float|clear):\s*(?:left|right)/,
  /border-(?:top|bottom)-(?:left|right)-radius/,
  /(?:margin|padding|inset): (?:\S+) (?!(\S+) \S+ \1;)\S+ \S+ \S+;/,
];
const IN_CODE = [
  /\s[mp][lr]=[{"]/,
  /\b(?:margin|padding|border)(?:Left|Right)\w*:/,
  /textAlign: "(?:left|right)"/,
  /style=\{\{[^}]*\b(?:left|right):/,
];

const isPhysical = (file: string): boolean => {
  const text = readFileSync(join(ROOT, file), "utf8").replace(/\/\*[\s\S]*?\*\/|var\(--[\w-]+, |--[\w-]+(?=:)/g, "");
  return (file.endsWith(".css") ? IN_STYLES : IN_CODE).some((one) => one.test(text));
};

it("styles name sides by the direction of reading, but for what lies over the slide (LG7)", () => {
  const files = ["app/src", "viewer/src", "embed"]
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
    )
    .filter((file) => /\.(?:css|tsx)$/.test(file) && !file.includes("node_modules") && !file.includes(".test."));
  expect(files.filter(isPhysical).sort()).toEqual(Object.keys(KEPT).sort());
});
