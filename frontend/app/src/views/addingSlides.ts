/** Whole slides for the page of views, each from a viewer that nobody sees. Comes when it is needed: import it dynamically. */
import { type SlideSummary, middlePlane } from "@wavescope/core/wire/slides/manifest";
import { viewLinkHash } from "@wavescope/viewer/core/viewLink";
import { PICTURE_PARTS } from "@wavescope/viewer/view/pictureParts";
import { slidePath } from "../state/router";
import { addItems } from "./adding";
import type { Planned } from "./pageLink";
import { rebuilt } from "./rebuilding";

/** In device pixels. */
const SHAPE = { width: 1200, height: 900, parts: PICTURE_PARTS } as const;

type Sized = Pick<SlideSummary, "id" | "title" | "width" | "height" | "planes">;

export async function addSlides(slides: readonly Sized[], report: (done: number) => void): Promise<void> {
  await addItems(() => rebuilt(slides.map(wholeSlide), report));
}

function wholeSlide({ id, title, width, height, planes }: Sized): Planned {
  const view = {
    l0_x: width / 2,
    l0_y: height / 2,
    scale: Math.min(SHAPE.width / width, SHAPE.height / height),
    rotation: 0,
    flip: false,
    plane: middlePlane(planes),
    adjustments: null,
  };
  return { kind: "view", link: slidePath(id) + viewLinkHash(view), caption: title, shape: SHAPE };
}
