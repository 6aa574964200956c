import { expect, it } from "vitest";
import { readStored } from "../../state/stored";
import { readKeyMap } from "./storedKeys";

it("what is stored and is no list of keys is left out (PG88)", () => {
  expect(readKeyMap({ full: ["F2"], home: [], broken: 5, other: "x", number: [1] })).toEqual({
    full: ["F2"],
    home: [],
    number: ["1"],
  });
  expect(readStored("damaged", readKeyMap)).toEqual({});
});
