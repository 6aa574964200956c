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
    const binding = new ViewerBinding(scope, here);
    scope.state.setState({ shared: true });
    return () => {
      scope.state.setState({ shared: false });
      binding.close();
    };
  }, [scope, here]);
  return null;
}
