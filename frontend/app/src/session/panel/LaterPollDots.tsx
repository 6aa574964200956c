import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { later } from "../../ui/later/Later";
import { live } from "../state/live";

const NewestPollDots = later<{ readonly microscope: Microscope }>(
  async () => (await import("./polls/NewestPollDots")).NewestPollDots,
);

/** Dots of a live session's newest poll over the picture (SE69). Their code comes with the first session that is shown. */
export function LaterPollDots({ microscope }: { readonly microscope: Microscope }) {
  const here = useStore(live, (state) => state.live);
  return here && <NewestPollDots microscope={microscope} />;
}
