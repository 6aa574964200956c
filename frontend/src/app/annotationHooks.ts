/** The hooks of annotations (testHooks.ts): they come with the code of annotations. */
import type { Microscope } from "../viewer/core/microscope";
import { annotationsOf } from "../viewer/annotate/annotations";
import { onCanvas } from "../viewer/annotate/paint/matrix";
import { type TestHooks, addAnnotationHooks } from "./testHooks";

addAnnotationHooks(annotationHooks);

function annotationHooks(scope: Microscope): TestHooks["annotations"] {
  const here = () => annotationsOf(scope);
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
      const { width, height, data } = here().layer.read(0, 0, scope.canvas.width, scope.canvas.height);
      return { width, height, rgba: data };
    },
  };
}
