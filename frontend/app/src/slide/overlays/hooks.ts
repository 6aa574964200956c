/** The hooks of overlays (testHooks.ts): they come with the code of overlays. */
import { onCanvas } from "@wavescope/viewer/annotate/paint/matrix";
import { viewMatrix } from "@wavescope/viewer/annotate/paint/viewMatrix";
import type { Overlays } from "@wavescope/viewer/overlays/overlays";
import type { TestHooks } from "../../testHooks";

export function overlayHooks(overlays: Overlays): NonNullable<TestHooks["overlays"]> {
  const { microscope } = overlays;
  return {
    state: () =>
      (overlays.state.getState().list ?? []).map(({ info, visible, status }) => {
        const layer = overlays.layer(info.id);
        return {
          id: info.id,
          name: info.name,
          visible,
          detail: status?.detail ?? null,
          settled: layer?.settled ?? false,
          painter: layer?.painted?.painter ?? null,
          milliseconds: layer?.painted?.milliseconds ?? 0,
          tiles: layer?.memory.tiles ?? 0,
          received: layer?.memory.received ?? 0,
        };
      }),
    choosePainter: (choice) => overlays.choosePainter(choice),
    readPicture: () => {
      const { width, height } = microscope.canvas;
      const pen = new OffscreenCanvas(width, height).getContext("2d")!;
      overlays.copyTo(pen);
      return { width, height, rgba: pen.getImageData(0, 0, width, height).data };
    },
    inViewer: (l0_x, l0_y) => {
      const [x, y] = onCanvas(viewMatrix(microscope), l0_x, l0_y);
      return { x: x / devicePixelRatio, y: y / devicePixelRatio };
    },
  };
}
