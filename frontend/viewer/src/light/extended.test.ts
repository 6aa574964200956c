import { beforeEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { stub } from "@wavescope/core/stub";
import type { Microscope } from "../core/microscope";
import { plain } from "./adjustments";
import { canExtend, endExtendedWithPlane, isExtended, toggleExtended } from "./extended";
import { fakeLight as light } from "./testing";

vi.mock("./light", async () => (await import("./testing")).lightModule);

describe("extended depth of field (ZS3, ZS7)", () => {
  beforeEach(() => light.setState({ adjustments: plain }));
  const openExtendable = (source: object = { setExtended: () => undefined }) => {
    const state = createStore(() => ({ fidelity: "exact" }));
    const microscope = { state, source, plane: 0, setPlane: (plane: number) => void (microscope.plane = plane) };
    return { microscope: stub<Microscope>(microscope), state };
  };

  it("is a part of the view, which links have, and goes on and off", () => {
    const { microscope } = openExtendable();
    toggleExtended(microscope);
    expect([isExtended(microscope), light.getState().adjustments.extended]).toEqual([true, true]);
    toggleExtended(microscope);
    expect(isExtended(microscope)).toBe(false);
  });

  it("ends with another plane, not with another view", () => {
    const { microscope, state } = openExtendable();
    const stop = endExtendedWithPlane(microscope);
    toggleExtended(microscope);
    state.setState({ fidelity: "preview" });
    expect(isExtended(microscope)).toBe(true);
    microscope.setPlane(2);
    state.setState({ fidelity: "exact" });
    expect(isExtended(microscope)).toBe(false);
    stop();
  });

  it("stays with a view that has it, on whatever plane", () => {
    const { microscope, state } = openExtendable();
    endExtendedWithPlane(microscope);
    for (const plane of [2, 1]) {
      microscope.setPlane(plane); // what is seen follows later
      light.setState({ adjustments: { ...plain, extended: true } });
      state.setState({ fidelity: "exact" });
      expect(isExtended(microscope)).toBe(true);
    }
  });

  it("is not there where the planes are not decoded here, whatever a link says", () => {
    const { microscope } = openExtendable({});
    toggleExtended(microscope);
    expect([canExtend(microscope), light.getState().adjustments.extended]).toEqual([false, false]);
    light.setState({ adjustments: { ...plain, extended: true } });
    expect(isExtended(microscope)).toBe(false);
  });
});
