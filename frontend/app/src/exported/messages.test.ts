import { describe, expect, it } from "vitest";
import { MESSAGE, requestedView } from "./messages";

describe("a message of the page around", () => {
  it("asks for a view; what makes no sense counts as not given (SH23)", () => {
    const view = { l0_x: 10, l0_y: 20, scale: 0.5, rotation: 90, plane: 1, flip: true };
    expect(requestedView({ type: MESSAGE.show, view })).toEqual(view);
    const senseless = { l0_x: NaN, l0_y: "20", scale: 0, rotation: Infinity, plane: null, flip: 1, other: 3 };
    expect(requestedView({ type: MESSAGE.show, view: senseless })).toEqual({});
    expect(requestedView({ type: MESSAGE.show, view: { scale: 65 } })).toEqual({});
  });

  it("that is another one is ignored (SH23)", () => {
    for (const data of [null, 1, "wavescope:show", [], {}, { type: MESSAGE.view, view: {} }, { type: MESSAGE.show }])
      expect(requestedView(data)).toBeNull();
  });
});
