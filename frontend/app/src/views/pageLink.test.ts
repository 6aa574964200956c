import { describe, expect, it } from "vitest";
import { pageHash, pageOf } from "./pageLink";
import { FIRST_LAYOUT, type Item, MAX_TEXT } from "./sheets";

const shape = { width: 800, height: 600, parts: ["scale_bar", "annotations"] } as const;
const view: Item = {
  kind: "view",
  id: "1",
  slide: "Duct & lobule",
  link: "/slides/he%201#x=1&y=2&scale=0.5&light=%7B%7D",
  caption: "50 % · “invasive”",
  picture: new Blob(),
  shape,
};
const count: Item = {
  kind: "count",
  id: "2",
  slide: "Duct",
  link: "/slides/he#x=1&y=2&scale=1",
  caption: "Mitoses",
  head: ["Class", "Number"],
  rows: [["Mitosis", "7"]],
  notes: ["Area 2 mm²"],
};
const layout = { ...FIRST_LAYOUT, title: "Case 7 & more", perSheet: 2 } as const;

describe("PG75: a page of views as a link", () => {
  it("has everything but pictures, ids and the titles of slides", () => {
    const page = pageOf(pageHash({ items: [view, count], layout }));
    expect(page?.layout).toEqual(layout);
    const { link, caption } = view;
    const { kind, head, rows, notes } = count;
    expect(page?.items).toEqual([
      { kind: "view", link, caption, shape },
      { kind, link: count.link, caption: count.caption, head, rows, notes },
    ]);
  });

  it("has the texts of its author, as long as they may be", () => {
    const text: Item = { kind: "text", id: "3", caption: "Findings", text: "Two foci.\nNo necrosis." };
    expect(pageOf(pageHash({ items: [text], layout }))?.items).toEqual([
      { kind: "text", caption: "Findings", text: "Two foci.\nNo necrosis." },
    ]);
    const long = pageOf(pageHash({ items: [{ ...text, text: "x".repeat(MAX_TEXT + 1) }], layout }));
    expect(long?.items).toMatchObject([{ text: "x".repeat(MAX_TEXT) }]);
  });

  it("has views of before, whose size is not known, too", () => {
    const page = pageOf(pageHash({ items: [{ ...view, shape: undefined }], layout }));
    expect(page?.items).toMatchObject([{ shape: { width: 1200, height: 900 } }]);
  });

  it.each(["", "#x=1", "#page=", "#page=%7B", "#page=7", "#page=null", "#page=%7B%7D"])("is not in %s", (hash) => {
    expect(pageOf(hash)).toBeNull();
  });

  it("leaves out what leads elsewhere or is no item, and brings sizes back within reason", () => {
    const items = [
      null,
      7,
      { ...view, link: "https://example.org/slides/he" },
      { ...view, caption: 7 },
      { ...count, rows: [[7]] },
      { kind: "text", caption: "", text: 7 },
      { ...view, kind: "film" },
      { ...view, shape: { width: 1e9, height: -1, parts: ["name", "virus"] } },
    ];
    const found = pageOf(`#page=${encodeURIComponent(JSON.stringify({ items, layout: 7 }))}`);
    expect(found?.layout).toEqual(FIRST_LAYOUT);
    expect(found?.items).toMatchObject([{ shape: { width: 1200, height: 900, parts: ["name"] } }]);
  });
});
