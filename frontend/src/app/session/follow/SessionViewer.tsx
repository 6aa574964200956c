import { useEffect } from "react";
import { useStore } from "zustand";
import type { PartProps } from "../../microscope/parts";
import { ViewerBinding } from "./viewerBinding";
import { live } from "../state/live";

/** Binds the slide's microscope to the session: views, cursors and annotations go to and fro. */
export function SessionViewer({ scope }: PartProps) {
  const here = useStore(live, (state) => state.live);
  useEffect(() => {
    if (!here) return;
    scope.state.setState({ shared: true }); // before the binding, which takes what else changes for a movement
    const binding = new ViewerBinding(scope, here);
    return () => {
      binding.close();
      scope.state.setState({ shared: false });
    };
  }, [scope, here]);
  return null;
}
