/** The hooks of annotations (testHooks.ts): they come with the code of annotations. */
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { annotationsOf } from "@wavescope/viewer/annotate/annotations";
import { onCanvas } from "@wavescope/viewer/annotate/paint/matrix";
import { type TestHooks, addAnnotationHooks } from "./testHooks";

addAnnotationHooks(annotationHooks);

function annotationHooks(microscope: Microscope): TestHooks["annotations"] {
  const here = () => annotationsOf(microscope);
  return {
    state: () => {
      const { store, layer } = here();
      const { count, selected, save } = store.state.getState();
      return { count, selected, save, painter: layer.kind, settled: layer.settled };
    },
    list: () =>
      [...here().store.index.all()].map(([id, { shape, name, class: group, z }]) => ({
        id,
        kind: shape.kind,
        name,
        class: group,
        parts: shape.parts,
        z,
      })),
    inViewer: (l0_x, l0_y) => {
      const [x, y] = onCanvas(here().layer.matrix(), l0_x, l0_y);
      return { x: x / devicePixelRatio, y: y / devicePixelRatio };
    },
    readPixel: (x, y) => [...here().layer.read(x, y, 1, 1).data],
    readPicture: () => {
      const { width, height, data } = here().layer.read(0, 0, microscope.canvas.width, microscope.canvas.height);
      return { width, height, rgba: data };
    },
  };
}
