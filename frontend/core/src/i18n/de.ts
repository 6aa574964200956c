/** All German texts, by address. */
const areas = import.meta.glob<Readonly<Record<string, string>>>("./de/*.json", { eager: true, import: "default" });

export const de: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(areas).flatMap(([file, texts]) =>
    Object.entries(texts).map(([key, text]) => [`${file.slice(5, -5)}.${key}`, text]),
  ),
);
