/** What facets and their values are called. */
const TITLES: Readonly<Record<string, string>> = {
  case: "Case or collection",
  vendor: "Vendor",
  format: "Format",
  objective: "Objective",
  planes: "Focal planes",
  profile: "Stored as",
};

export function facetTitle(name: string): string {
  const key = name.startsWith("tag.") ? name.slice("tag.".length) : name;
  return TITLES[name] ?? key.charAt(0).toUpperCase() + key.slice(1);
}

export function facetValueTitle(name: string, title: string): string {
  if (name === "objective") return title === "no scale" ? "No scale" : title.replace(/x(?=$| equivalent$)/, "×");
  if (name === "planes") return title === "1" ? "1 plane" : `${title} planes`;
  return title;
}
