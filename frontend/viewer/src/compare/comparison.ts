/**
 * Two microscopes that keep their offset. The one that is moved leads, as long as the other is not moved by anybody but its leader;
 * the other is set to the same tissue in every frame before it is drawn. So nothing runs in circles and nothing trembles: the
 * follower never animates, never limits itself, and its own events are not listened to while it is being set.
 */
import type { Microscope } from "../core/microscope";
import type { ViewLink } from "../core/viewLink";
import { showViewLink } from "../view/view";
import type { Mode, ComparisonAddress } from "./address";
import { drawNow, putAt, readNow } from "./following";
import { Alignment } from "./alignment";
import { Marking } from "./marking";
import {
  type ComparisonState,
  type ComparisonStore,
  type Side,
  createComparisonStore,
  otherSide,
} from "./comparisonState";
import { type Link, type Places, type Registration, followed, linkBetween, reversed, startLink } from "./registration";

export type Microscopes = Readonly<Record<Side, Microscope>>;

const SIDES = ["left", "right"] as const;
const MOVES = ["pan", "zoom", "rotate", "flip"] as const;

export class Comparison {
  readonly state: ComparisonStore;
  readonly marking: Marking;
  readonly alignment: Alignment;
  private readonly stops: (() => void)[] = [];
  /** Planes as they were last seen or set: the user chose another one. */
  private readonly planes: Record<Side, number>;
  private following = false;
  private resizing: Side | null = null;

  /** Both slides must be open in their viewers, the left one first: in every frame it is drawn first. */
  constructor(
    readonly microscopes: Microscopes,
    start: ComparisonAddress,
  ) {
    this.state = createComparisonStore(start);
    this.alignment = new Alignment(this);
    this.marking = new Marking(this);
    this.planes = { left: microscopes.left.plane, right: microscopes.right.plane };
    for (const side of SIDES) this.listen(side);
    this.show(start);
  }

  /** Shows everything that an address says; views that it does not contain do not change. */
  show(address: ComparisonAddress): void {
    const { mode, divider, blend, swapped } = address;
    this.state.setState({ mode, divider, blend, swapped, link: null });
    for (const side of SIDES) {
      const viewLink = address[side];
      if (viewLink) this.lead(() => showViewLink(this.microscopes[side], viewLink, true));
      this.planes[side] = this.microscopes[side].plane;
    }
    if (address.link !== "off") this.setLink(address.link ?? this.linkAtStart(address));
    this.marking.load(address.landmarks);
    if (address.automatic) void this.alignment.start(address.landmarks, false);
  }

  /** Keeps the offset that there is now. */
  link(): void {
    this.alignment.forget();
    this.setLink(this.linkNow());
  }

  unlink(): void {
    this.restore(null);
  }

  /** A link as it was before. */
  restore(link: Link | null): void {
    if (link) this.setLink(link);
    else this.state.setState({ link });
  }

  /** Moves the right slide to the same tissue as the left one, at one magnification. */
  register(registration: Registration, places?: Places): void {
    this.activate("left");
    this.setLink({ registration, zoom: 1, places });
  }

  /** By what the service finds, corrected by the landmarks that there are. */
  alignAutomatically(): void {
    void this.alignment.start(this.marking.state.getState().pairs);
  }

  /** Linked at the centres, as at the start. */
  alignCentres(): void {
    this.alignment.forget();
    this.setLink(startLink(this.microscopes.left.manifest, this.microscopes.right.manifest));
  }

  /** Swiping shows one over the other: they are linked then, at one magnification. */
  setMode(mode: Mode): void {
    const { link } = this.state.getState();
    this.state.setState({ mode });
    if (mode === "swipe") this.setLink({ ...(link ?? this.linkNow()), zoom: 1 });
  }

  /** Arranges the slides as another member has arranged theirs. */
  arrange({ mode, swapped, link }: Pick<ComparisonState, "mode" | "swapped" | "link">): void {
    this.state.setState({ mode, swapped });
    if (link) this.setLink(link);
    else this.unlink();
  }

  setDivider(divider: number): void {
    this.state.setState({ divider: Math.min(1, Math.max(0, divider)) });
  }

  setBlend(blend: number): void {
    this.state.setState({ blend: Math.min(1, Math.max(0, blend)) });
  }

  swap(): void {
    this.state.setState({ swapped: !this.state.getState().swapped });
  }

  /** Keys go to this one; the other follows it from now on. */
  activate(side: Side): void {
    if (this.state.getState().active !== side) this.state.setState({ active: side });
  }

  /** The microscopes themselves stay open. */
  close(): void {
    for (const stop of this.stops) stop();
    this.marking.close();
    this.alignment.close();
  }

  private setLink(link: Link): void {
    this.state.setState({ link });
    this.follow();
    this.focus(this.state.getState().active);
  }

  private linkNow(): Link {
    const { left, right } = this.microscopes;
    return linkBetween(left.manifest, right.manifest, readNow(left), readNow(right));
  }

  private linkAtStart({ left, right }: ComparisonAddress): Link {
    return left && right ? this.linkNow() : startLink(this.microscopes.left.manifest, this.microscopes.right.manifest);
  }

  private listen(side: Side): void {
    const { viewer, state } = this.microscopes[side];
    const on = (name: string, act: () => void): void => {
      viewer.addHandler(name as "pan", act);
      this.stops.push(() => viewer.removeHandler(name as "pan", act));
    };
    for (const name of MOVES) on(name, () => this.touched(side));
    on("resize", () => (this.resizing = side));
    on("viewport-change", () => this.moved(side));
    on("flip", () => this.moved(side));
    this.stops.push(state.subscribe(({ plane }) => this.focused(side, plane)));
  }

  /** The user moves this one: by hand, key or link. A viewer whose size changes moves without the user. */
  private touched(side: Side): void {
    if (!this.following && this.resizing !== side) this.activate(side);
  }

  private moved(side: Side): void {
    if (this.resizing === side) this.resizing = null;
    if (!this.following && this.state.getState().active === side) this.follow();
  }

  private focused(side: Side, plane: number): void {
    if (this.planes[side] === plane) return;
    this.planes[side] = plane;
    this.focus(side);
  }

  private follow(): void {
    const { link, active } = this.state.getState();
    if (!link || this.following) return;
    const follower = this.microscopes[otherSide(active)];
    this.lead(() => putAt(follower, this.target(link, active)));
    if (active === "right") this.lead(() => drawNow(follower)); // it had its turn in this frame before its leader
  }

  /** Moves a viewer without the other one following, and without making it the leader. */
  private lead(move: () => void): void {
    this.following = true;
    move();
    this.following = false;
  }

  private focus(leader: Side): void {
    const { link } = this.state.getState();
    if (!link) return;
    const side = otherSide(leader);
    this.microscopes[side].setPlane(this.target(link, leader).plane);
    this.planes[side] = this.microscopes[side].plane;
  }

  private target(link: Link, leader: Side): ViewLink {
    return followed(leader === "left" ? link : reversed(link), readNow(this.microscopes[leader]));
  }
}
