/**
 * Two to four microscopes that keep their offset. The one that is moved leads, as long as no other is moved by anybody but its leader;
 * the others are set to the same tissue in every frame before it is drawn. So nothing runs in circles and nothing trembles: a
 * follower never animates, never limits itself, and its own events are not listened to while it is being set.
 */
import type { Microscope } from "../core/microscope";
import { readViewLink, showViewLink } from "../view/view";
import type { ComparisonAddress, Mode, TwoPanes } from "./address";
import { drawNow, putAt, readNow } from "./following";
import { Alignment, isAligned } from "./alignment";
import { Marking } from "./marking";
import { type ComparisonState, type ComparisonStore, createComparisonStore, isShown } from "./comparisonState";
import { type Links, followedIn, linksBetween, linksFrom, planeIn, startLinks } from "./links";
import type { Link } from "./registration";

const MOVES = ["pan", "zoom", "rotate", "flip"] as const;

export class Comparison {
  readonly state: ComparisonStore;
  readonly marking: Marking;
  readonly alignment: Alignment;
  private readonly stops: (() => void)[] = [];
  /** Planes as they were last seen or set: the user chose another one. */
  private readonly planes: number[];
  private following = false;
  private resizing: number | null = null;

  /** All slides must be open in their viewers, in their order: in every frame they are drawn in it. */
  constructor(
    readonly microscopes: readonly Microscope[],
    start: ComparisonAddress,
  ) {
    this.state = createComparisonStore(start);
    this.alignment = new Alignment(this);
    this.marking = new Marking(this);
    this.planes = microscopes.map(({ plane }) => plane);
    for (const pane of microscopes.keys()) this.listen(pane);
    this.show(start);
  }

  /** Shows everything that an address says; views that it does not contain do not change. */
  show(address: ComparisonAddress): void {
    const { mode, swiped, divider, blend, swapped } = address;
    this.state.setState({ mode, swiped, divider, blend, swapped, links: null });
    for (const [pane, microscope] of this.microscopes.entries()) {
      const viewLink = address.views[pane];
      if (viewLink) this.lead(() => showViewLink(microscope, viewLink, true));
      this.planes[pane] = microscope.plane;
    }
    if (address.links !== "off") this.setLinks(this.linksAtStart(address.links, address.views));
    this.marking.load(address.landmarks);
    if (address.automatic) void this.alignment.start(address.landmarks, false);
  }

  /** Keeps the offsets that there are now. */
  link(): void {
    this.alignment.forget();
    this.setLinks(this.linksNow());
  }

  unlink(): void {
    this.restore(null);
  }

  /** Links as they were before. */
  restore(links: Links | null): void {
    if (links) this.setLinks(links);
    else this.state.setState({ links });
  }

  /** Moves the slides to the same tissue as the first one, at one magnification; null: that one stays as it lies. */
  lay(links: readonly (Link | null)[]): void {
    this.activate(0);
    const now = this.state.getState().links ?? this.linksNow();
    this.setLinks(linksFrom(this.microscopes.length, (pane) => links[pane] ?? now[pane]!));
  }

  /** By what the service finds, corrected by the landmarks that there are. */
  alignAutomatically(): void {
    void this.alignment.start(this.marking.state.getState().landmarks);
  }

  /** Linked at the centres, as at the start. */
  alignCentres(): void {
    this.alignment.forget();
    this.setLinks(startLinks(this.manifests));
  }

  /** Swiping shows one over another: they are linked then, at one magnification. */
  setMode(mode: Mode): void {
    this.state.setState({ mode });
    if (mode === "swipe") this.swipe();
    else this.restore(this.state.getState().links); // those that were not seen follow again
  }

  /** Chooses the two that are swiped. */
  setSwiped(swiped: TwoPanes): void {
    this.state.setState({ swiped });
    this.swipe();
  }

  /** Arranges the slides as another member has arranged theirs. */
  arrange({ links, ...change }: Pick<ComparisonState, "mode" | "swiped" | "swapped" | "links">): void {
    this.state.setState(change);
    this.restore(links);
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

  /** Keys go to this one; the others follow it from now on. */
  activate(pane: number): void {
    if (this.state.getState().active !== pane) this.state.setState({ active: pane });
  }

  /** All that an address says of what is seen. */
  address(): ComparisonAddress {
    const { links, active: _, ...state } = this.state.getState();
    return {
      ...state,
      views: this.microscopes.map(readViewLink),
      links: links?.slice(1) ?? "off",
      landmarks: this.marking.state.getState().landmarks,
      automatic: isAligned(this.alignment.state.getState()) && (links ?? []).some(({ places }) => places),
    };
  }

  /** The microscopes themselves stay open. */
  close(): void {
    for (const stop of this.stops) stop();
    this.marking.close();
    this.alignment.close();
  }

  private get manifests() {
    return this.microscopes.map(({ manifest }) => manifest);
  }

  private swipe(): void {
    const { links, swiped, active } = this.state.getState();
    if (!swiped.includes(active)) this.activate(swiped[0]);
    this.setLinks((links ?? this.linksNow()).map((link) => ({ ...link, zoom: 1 })));
  }

  private setLinks(links: Links): void {
    this.state.setState({ links });
    this.follow();
    this.focus(this.state.getState().active);
  }

  private linksNow(): Links {
    return linksBetween(this.manifests, this.microscopes.map(readNow));
  }

  /** Those that are said; else two views that are said are kept as they lie, and centres lie on each other. */
  private linksAtStart(links: readonly (Link | null)[], views: ComparisonAddress["views"]): Links {
    const [now, start] = [this.linksNow(), startLinks(this.manifests)];
    const otherwise = (pane: number): Link => (views[0] && views[pane] ? now[pane]! : start[pane]!);
    return linksFrom(this.microscopes.length, (pane) => links[pane - 1] ?? otherwise(pane));
  }

  private listen(pane: number): void {
    const { viewer, state } = this.microscopes[pane]!;
    const on = (name: string, act: () => void): void => {
      viewer.addHandler(name as "pan", act);
      this.stops.push(() => viewer.removeHandler(name as "pan", act));
    };
    for (const name of MOVES) on(name, () => this.touched(pane));
    on("resize", () => (this.resizing = pane));
    on("viewport-change", () => this.moved(pane));
    on("flip", () => this.moved(pane));
    this.stops.push(state.subscribe(({ plane }) => this.focused(pane, plane)));
  }

  /** The user moves this one: by hand, key or link. A viewer whose size changes moves without the user. */
  private touched(pane: number): void {
    if (!this.following && this.resizing !== pane) this.activate(pane);
  }

  private moved(pane: number): void {
    if (this.resizing === pane) this.resizing = null;
    if (!this.following && this.state.getState().active === pane) this.follow();
  }

  private focused(pane: number, plane: number): void {
    if (this.planes[pane] === plane) return;
    this.planes[pane] = plane;
    if (!this.following) this.focus(pane);
  }

  private follow(): void {
    const { links, active } = this.state.getState();
    if (!links || this.following) return;
    const view = readNow(this.microscopes[active]!);
    this.lead(() => {
      for (const pane of this.followersOf(active)) {
        const follower = this.microscopes[pane]!;
        putAt(follower, followedIn(links, active, pane, view));
        if (pane < active) drawNow(follower); // it had its turn in this frame before its leader
      }
    });
  }

  /** The panes that are seen, but one. */
  private followersOf(leader: number): number[] {
    const state = this.state.getState();
    return [...this.microscopes.keys()].filter((pane) => pane !== leader && isShown(state, pane));
  }

  /** Moves viewers without others following, and without making them the leader. */
  private lead(move: () => void): void {
    this.following = true;
    move();
    this.following = false;
  }

  private focus(leader: number): void {
    const { links } = this.state.getState();
    if (!links) return;
    const { plane } = this.microscopes[leader]!;
    this.lead(() => {
      for (const pane of this.followersOf(leader)) {
        const follower = this.microscopes[pane]!;
        follower.setPlane(planeIn(links, leader, pane, plane));
        this.planes[pane] = follower.plane;
      }
    });
  }
}
