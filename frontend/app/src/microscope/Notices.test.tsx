import { expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { type ViewState, startState } from "@wavescope/viewer/core/viewState";
import { rendered } from "../rendered";
import { Notices, OfflineNotice } from "./Notices";

const notices = (change: Partial<ViewState>): string => {
  const state = createStore<ViewState>(() => ({ ...startState, ...change }));
  const microscope = { state, manifest: { preview: false } } as unknown as Microscope;
  return rendered(<Notices microscope={microscope} failure={null} onReload={() => undefined} />);
};

it("says what the hatching means and what helps where tiles in view are damaged", () => {
  const html = notices({ fidelity: "damaged" });
  for (const words of ["hatched areas cannot be read", "shown dimmed", "import it again"])
    expect(html).toContain(words);
  expect(notices({ fidelity: "exact" })).not.toContain("hatched");
});

it("says where the picture comes from while the service does not answer (PG24, ED22)", () => {
  expect(notices({})).not.toContain("ffline");
  expect(notices({ offline: true })).toContain("Loaded parts stay visible");
  expect(rendered(<OfflineNotice substitute="browser" />)).toContain("what was seen before");
  expect(rendered(<OfflineNotice substitute="edge" />)).toContain("what is cached nearby");
});
