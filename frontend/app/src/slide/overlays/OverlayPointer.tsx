import { Paper, Text } from "@mantine/core";
import { freePart } from "@wavescope/viewer/navigation/freePart";
import { useEffect } from "react";
import { useStore } from "zustand";
import type { PartProps } from "../../microscope/parts";
import { overlayHooks } from "./hooks";
import { hitLines } from "./labels";
import { tipPlace } from "./tipPlace";
import { useOverlays } from "./useOverlays";

/** What lies under the pointer, beside it. The overlays themselves are drawn by the viewer. */
export function OverlayPointer({ microscope, manifest }: PartProps) {
  const { interaction, overlays } = useOverlays(microscope);
  useEffect(() => {
    window.__wavescope.overlays = overlayHooks(overlays);
  }, [overlays]);
  const pointed = useStore(interaction.state, (state) => state.pointed);
  if (!pointed) return null;
  const { info, hit, x, y } = pointed;
  const { clientWidth, clientHeight } = microscope.viewer.element;
  const { across, down } = freePart(microscope);
  const free = [across * clientWidth, down * clientHeight] as const;
  return (
    <Paper
      withBorder
      shadow="sm"
      px={8}
      py={4}
      aria-hidden="true"
      data-testid="overlay-pointed"
      style={{
        position: "absolute",
        ...tipPlace([x, y], [clientWidth, clientHeight], free),
        zIndex: 6,
        pointerEvents: "none",
      }}
    >
      {hitLines(info, hit, manifest.mpp).map((line, i) => (
        <Text key={line} size="xs" fw={i === 0 ? 600 : 400}>
          {line}
        </Text>
      ))}
    </Paper>
  );
}
