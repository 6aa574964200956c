import { expect, it } from "vitest";
import { networkResponse, remember } from "./networkResponse";

const timing = (response: number, responseEnd: number, more = {}) => ({
  ...{ name: "http://here/api/v1/slides/one", transferSize: 300, requestStart: 1000 },
  ...{ responseStart: 1000 + response, responseEnd, ...more },
});

it("is the shortest response of recent requests of the API that went over the network (WI122)", () => {
  expect(networkResponse(2000)).toBeNull();
  remember([timing(310, 2000), timing(300, 2100)]);
  remember([
    timing(2, 2000, { transferSize: 0 }), // from a store of the browser
    timing(3, 2000, { name: "http://here/assets/index.js" }),
  ]);
  expect(networkResponse(2200)).toBe(300);
  expect(networkResponse(122_050)).toBe(300);
  expect(networkResponse(122_200)).toBeNull();
});
