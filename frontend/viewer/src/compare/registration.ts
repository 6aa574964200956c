/**
 * Which tissue of one slide belongs to which of another: pure arithmetic. A registration maps level-0 pixels of the left slide to
 * level-0 pixels of the right one: right = scale * R(rotation) * M * S * left + (l0_dx, l0_dy), with R clockwise (y points down), M
 * the mirror left to right where the slides are mirrored, and S = [[c + stretch, shear], [shear, c - stretch]] of determinant 1:
 * what an affine registration has beyond a similarity. Planes are mapped alike: right = planeStep * left + planeShift.
 *
 * The screen shows no S: the middle of the field lies where it belongs, what is around it as the similarity says.
 *
 * A slide in a view is on the screen at F * R(view.rotation) * (l0 - centre) * view.scale, with F the mirror where it is flipped.
 */
import { middlePlane } from "@wavescope/core/wire/slides/manifest";
import { type ViewLink, turned } from "../core/viewLink";

export interface Point {
  readonly l0_x: number;
  readonly l0_y: number;
}

export interface Registration {
  /** Level-0 pixels of the right slide per level-0 pixel of the left one. */
  readonly scale: number;
  /** Degrees, clockwise, in [0, 360). */
  readonly rotation: number;
  readonly mirrored: boolean;
  /** Both 0 in a similarity. */
  readonly stretch: number;
  readonly shear: number;
  /** Planes of the right slide per plane of the left one. */
  readonly planeStep: number;
  readonly planeShift: number;
  readonly l0_dx: number;
  readonly l0_dy: number;
}

/** What of a slide decides how it lies beside another. */
export interface Extent {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly planes: number;
  readonly mpp: { readonly x: number } | null;
  readonly planeSpacingUm: number | null;
}

/** How places map where no single registration says it: by the one that touches the map at a point. */
export interface Places {
  at(point: Point): Registration;
  /** The same, seen from the right slide. */
  reversed(): Places;
}

/** The link of two slides: their registration, and how much more the right one is magnified. */
export interface Link {
  /** Where there are `places`, what they come nearest to. */
  readonly registration: Registration;
  readonly places?: Places;
  /** 1: both at the same magnification. */
  readonly zoom: number;
}

/** How much a similarity is drawn out. */
export const EVEN = { stretch: 0, shear: 0 } as const;

export function mapPoint(registration: Registration, { l0_x, l0_y }: Point): Point {
  const { scale, mirrored, stretch, shear, l0_dx, l0_dy } = registration;
  const even = Math.hypot(1, stretch, shear);
  const [across, down] = [(even + stretch) * l0_x + shear * l0_y, shear * l0_x + (even - stretch) * l0_y];
  const [x, y] = turn(registration.rotation, mirrored ? -across : across, down);
  return { l0_x: scale * x + l0_dx, l0_y: scale * y + l0_dy };
}

/** From the right slide to the left one. */
export function inverse(registration: Registration): Registration {
  const { scale, rotation, mirrored, stretch, shear, planeStep, planeShift } = registration;
  const drawn = turn(2 * rotation, -stretch, mirrored ? shear : -shear); // S as it lies on the right slide, undone
  const back = {
    scale: 1 / scale,
    rotation: turned(mirrored ? rotation : -rotation),
    mirrored,
    stretch: drawn[0],
    shear: drawn[1],
    l0_dx: 0,
    l0_dy: 0,
  };
  const planes = { planeStep: 1 / planeStep, planeShift: -planeShift / planeStep };
  const origin = mapPoint({ ...back, ...planes }, { l0_x: registration.l0_dx, l0_y: registration.l0_dy });
  return { ...back, ...planes, l0_dx: -origin.l0_x, l0_dy: -origin.l0_y };
}

/** Level-0 pixels of the right slide per one of the left that show equal lengths; null where that is not known. */
export function physicalScale(left: Extent, right: Extent): number | null {
  if (left.id === right.id) return 1;
  return left.mpp && right.mpp ? left.mpp.x / right.mpp.x : null;
}

export function planeStepOf(left: Extent, right: Extent): number {
  if (left.id === right.id || !left.planeSpacingUm || !right.planeSpacingUm) return 1;
  return left.planeSpacingUm / right.planeSpacingUm;
}

/**
 * The link that keeps two views together as they are. Where the slides' scale is not known, what is the same size on the screen
 * counts as the same size; else a difference on the screen is one of magnification.
 */
export function linkBetween(left: Extent, right: Extent, leftView: ViewLink, rightView: ViewLink): Link {
  const scale = physicalScale(left, right) ?? leftView.scale / rightView.scale;
  const mirrored = leftView.flip !== rightView.flip;
  const rotation = turned((mirrored ? -leftView.rotation : leftView.rotation) - rightView.rotation);
  const planeStep = planeStepOf(left, right);
  const planeShift = rightView.plane - planeStep * leftView.plane;
  const linear = { scale, rotation, mirrored, ...EVEN, planeStep, planeShift, l0_dx: 0, l0_dy: 0 };
  return {
    registration: through(linear, leftView, rightView),
    zoom: (rightView.scale * scale) / leftView.scale,
  };
}

/** Linked at the centres and the middle planes, upright, at the same magnification. */
export function startLink(left: Extent, right: Extent): Link {
  const planeStep = planeStepOf(left, right);
  const planeShift = middlePlane(right.planes) - planeStep * middlePlane(left.planes);
  const linear = {
    scale: physicalScale(left, right) ?? 1,
    rotation: 0,
    mirrored: false,
    ...EVEN,
    planeStep,
    planeShift,
    l0_dx: 0,
    l0_dy: 0,
  };
  return { registration: through(linear, centreOf(left), centreOf(right)), zoom: 1 };
}

/** The view of the right slide while the left one is at `viewLink`; the plane may lie beyond the slide's planes. */
export function followed(link: Link, viewLink: ViewLink): ViewLink {
  const [registration, { zoom }] = [registrationAt(link, viewLink), link];
  const { rotation, mirrored, scale, planeStep, planeShift } = registration;
  return {
    ...mapPoint(registration, viewLink),
    scale: (viewLink.scale / scale) * zoom,
    rotation: turned((mirrored ? -viewLink.rotation : viewLink.rotation) - rotation),
    flip: viewLink.flip !== mirrored,
    plane: planeStep * viewLink.plane + planeShift,
    adjustments: viewLink.adjustments,
  };
}

/** The same link, seen from the right slide. */
export function reversed({ registration, zoom, places }: Link): Link {
  return { registration: inverse(registration), zoom: 1 / zoom, places: places?.reversed() };
}

/** What a link is around a point of the left slide. */
export function registrationAt({ registration, places }: Link, left: Point): Registration {
  return places?.at(left) ?? registration;
}

/** The similarity that does the same at a point of the left slide, and nearly so around it. */
export function similarityAt(registration: Registration, left: Point): Registration {
  if (registration.stretch === 0 && registration.shear === 0) return registration;
  return through({ ...registration, ...EVEN }, left, mapPoint(registration, left));
}

/** The same registration, moved so that `left` coincides with `right`. */
export function through(linear: Registration, left: Point, right: Point): Registration {
  const found = mapPoint({ ...linear, l0_dx: 0, l0_dy: 0 }, left);
  return { ...linear, l0_dx: right.l0_x - found.l0_x, l0_dy: right.l0_y - found.l0_y };
}

function centreOf({ width, height }: Extent): Point {
  return { l0_x: width / 2, l0_y: height / 2 };
}

function turn(degrees: number, x: number, y: number): [number, number] {
  const radians = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return [cos * x - sin * y, sin * x + cos * y];
}
