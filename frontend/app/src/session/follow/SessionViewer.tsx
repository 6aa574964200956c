import { useEffect } from "react";
import { useStore } from "zustand";
import type { PartProps } from "../../microscope/parts";
import { ViewerBinding } from "./viewerBinding";
import { live } from "../state/live";

/** Binds the slide's microscope to the session: views, cursors and annotations go to and fro. */
export function SessionViewer({ microscope }: PartProps) {
  const here = useStore(live, (state) => state.live);
  useEffect(() => {
    if (!here) return;
    microscope.state.setState({ shared: true }); // before the binding, which takes what else changes for a movement
    const binding = new ViewerBinding(microscope, here);
    return () => {
      binding.close();
      microscope.state.setState({ shared: false });
    };
  }, [microscope, here]);
  return null;
}
