import { describe, expect, it } from "vitest";
import { annotationClient, parseContent, writeContent } from "./annotations";
import { ContractError } from "../http/errors";

const ring = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 0],
];
const contents = [
  { kind: "point", geometry: { type: "Point", coordinates: [1, 2.5] } },
  {
    kind: "point",
    geometry: {
      type: "MultiPoint",
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
  },
  {
    kind: "line",
    geometry: {
      type: "LineString",
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
    name: "L",
  },
  {
    kind: "line",
    geometry: {
      type: "MultiLineString",
      coordinates: [
        [
          [1, 2],
          [3, 4],
        ],
        [
          [5, 6],
          [7, 8],
        ],
      ],
    },
  },
  {
    kind: "polygon",
    geometry: { type: "Polygon", coordinates: [ring, ring] },
    plane: { c: -1, t: 0, z: 3 },
    class: "Tumor",
    color: [1, 2, 3],
  },
  {
    kind: "freehand",
    geometry: { type: "MultiPolygon", coordinates: [[ring], [ring, ring]] },
    text: "seen",
    foreign: { properties: { isLocked: true } },
  },
];

describe("contents", () => {
  it.each(contents)("AN3: a $kind of $geometry.type comes back member by member", (content) => {
    expect(writeContent(parseContent(content))).toEqual(content);
  });

  it.each([
    ["no kind", { geometry: contents[0]!.geometry }],
    ["an unknown geometry", { kind: "point", geometry: { type: "Blob", coordinates: [] } }],
    ["words for numbers", { kind: "point", geometry: { type: "Point", coordinates: ["1", 2] } }],
    ["nothing", { kind: "line", geometry: { type: "LineString", coordinates: [] } }],
  ])("AN3: refuses %s", (_, content) => {
    expect(() => parseContent(content)).toThrow(ContractError);
  });
});

describe("annotationClient", () => {
  it("AN6: sends changes and reads their outcomes", async () => {
    const asked: { url: string; body: unknown }[] = [];
    const stored = {
      id: "a",
      revision: 2,
      deleted: false,
      author: "me",
      created: "t",
      updated: "t",
      content: contents[0],
    };
    const client = annotationClient("a b", (url, init) => {
      asked.push({ url, body: JSON.parse(init?.body as string) });
      return Promise.resolve(
        Response.json({
          outcomes: [
            { id: "a", status: "conflict", annotation: stored },
            { id: "b", status: "saved", annotation: null },
          ],
          sequence: 4,
        }),
      );
    });
    const [first, second] = await client.change([
      { id: "a", revision: 1, content: parseContent(contents[0]) },
      { id: "b", revision: 7, content: null },
    ]);
    expect(first).toMatchObject({
      status: "conflict",
      annotation: { revision: 2, content: { shape: { kind: "point" } } },
    });
    expect(second).toEqual({ id: "b", status: "saved", annotation: null });
    expect(asked).toEqual([
      {
        url: "/api/v1/slides/a%20b/annotations:batch",
        body: {
          changes: [
            { id: "a", revision: 1, content: contents[0] },
            { id: "b", revision: 7, content: null },
          ],
        },
      },
    ]);
  });

  it("AN8: reads a page of changes, ends among them", async () => {
    const response = {
      annotations: [{ id: "a", revision: 3, deleted: true, author: "me", created: "t", updated: "t", content: null }],
      sequence: 9,
      more: false,
      total: 0,
      classes: { Tumor: [1, 2, 3] },
      editable: true,
    };
    const page = await annotationClient("s", () => Promise.resolve(Response.json(response))).page(5);
    expect(page).toMatchObject({ sequence: 9, more: false, annotations: [{ id: "a", content: null }] });
    expect(page.classes.get("Tumor")).toEqual([1, 2, 3]);
  });
});
