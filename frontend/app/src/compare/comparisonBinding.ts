/** Microscopes bound to the panes of the session's stage, how they are arranged, and the landmarks that lay them on each other. */
import { type SessionState, type SharedComparison, follows } from "@wavescope/core/session/state";
import type { TwoPanes } from "@wavescope/viewer/compare/address";
import { isAligned } from "@wavescope/viewer/compare/alignment";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { readNow } from "@wavescope/viewer/compare/following";
import type { ComparisonState } from "@wavescope/viewer/compare/comparisonState";
import { ViewerBinding, type PaneRole } from "../session/follow/viewerBinding";
import { type Live, type Participant, operate, participantOf } from "../session/state/live";
import { areSameSlides, sceneAt, sharedLinks, sharedScene } from "../session/state/stage";

/** Milliseconds in which changes of the arrangement are one. */
const REPORT_DELAY = 150;

export class ComparisonBinding {
  private readonly panes: readonly ViewerBinding[];
  private readonly stops: (() => void)[];
  private applied: SharedComparison | null = null;
  private applying = false;
  /** The stage for which the own arrangement was sent. */
  private sentStage = -1;
  private timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly comparison: Comparison,
    private readonly here: Live,
  ) {
    this.panes = comparison.microscopes.map((microscope, pane) => new ViewerBinding(microscope, here, this.role(pane)));
    this.stops = [
      here.connection.state.subscribe(() => this.handleState()),
      comparison.state.subscribe((now, before) => this.changed(now, before)),
      comparison.marking.state.subscribe((now, before) => {
        if (now.landmarks !== before.landmarks) this.arranged();
      }),
    ];
    this.handleState();
    this.scheduleReport();
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    for (const stop of this.stops) stop();
    for (const pane of this.panes) pane.close();
  }

  private get participant(): Participant | null {
    const participant = participantOf(this.here.connection.state.getState());
    return participant && areSameSlides(sceneAt(location), participant.session.stage) ? participant : null;
  }

  private role(pane: PaneRole["pane"]): PaneRole {
    const state = (): ComparisonState => this.comparison.state.getState();
    return {
      pane,
      leads: () => state().links === null || state().active === pane,
      accepts: (session, entry) => state().links === null || session.views.at(-1) === entry,
      swipe: () => ({ divider: state().divider, blend: state().blend }),
    };
  }

  /** Follows how the presenter has laid the slides. */
  private handleState(): void {
    const { participant } = this;
    if (!participant || !follows(participant.session, participant.you, participant.following)) {
      this.applied = null;
      if (participant?.session.presenter === participant?.you && participant?.session.stage.number !== this.sentStage)
        this.scheduleReport();
      return;
    }
    this.applying = true;
    this.applyShared(participant.session);
    this.applying = false;
  }

  private applyShared({ stage: { pair: shared }, views }: SessionState): void {
    if (shared && shared !== this.applied) {
      this.applied = shared;
      const { alignment, marking } = this.comparison;
      const { mode, swapped, swiped = [0, 1], marks: landmarks = [] } = shared;
      if (!isAutomatic(shared)) alignment.forget();
      this.comparison.arrange({ mode, swapped, swiped: swiped as TwoPanes, links: sharedLinks(shared) });
      marking.load(landmarks);
      if (isAligned(alignment.state.getState())) this.comparison.lay(alignment.links(landmarks));
      else if (isAutomatic(shared)) void alignment.start(landmarks, false);
    }
    const swipe = views.at(-1)?.swipe;
    if (!swipe) return;
    const { divider, blend } = this.comparison.state.getState();
    if (divider !== swipe.divider) this.comparison.setDivider(swipe.divider);
    if (blend !== swipe.blend) this.comparison.setBlend(swipe.blend);
  }

  /** The own user has laid them otherwise: for all who follow, or alone. */
  private changed(now: ComparisonState, before: ComparisonState): void {
    const { participant } = this;
    const fieldCame = this.applied !== null && isAutomatic(this.applied) && now.links?.some(({ places }) => places);
    if (now.links !== before.links && !fieldCame) this.arranged();
    if (now.mode !== before.mode || now.swapped !== before.swapped || now.swiped !== before.swiped) this.arranged();
    if (now.divider === before.divider && now.blend === before.blend) return;
    if (participant && !this.freed(participant)) this.panes[now.active]!.report();
  }

  private arranged(): void {
    const { participant } = this;
    if (participant && !this.freed(participant)) this.scheduleReport();
  }

  /** Whether this was no change for all: it was theirs, or the user who made it moves freely from now on. */
  private freed({ session, you, following }: Participant): boolean {
    if (this.applying) return true;
    if (!follows(session, you, following)) return false;
    operate({ type: "follow", following: false });
    return true;
  }

  private scheduleReport(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.reportArrangement();
    }, REPORT_DELAY);
  }

  private reportArrangement(): void {
    const { participant } = this;
    if (!participant || participant.session.state !== "live" || participant.session.presenter !== participant.you)
      return;
    const { stage } = participant.session;
    this.sentStage = stage.number;
    const { microscopes } = this.comparison;
    const slides = microscopes.map(({ manifest }) => manifest.id);
    const { pair } = sharedScene(slides, this.comparison.address(), readNow(microscopes[0]!));
    if (JSON.stringify(pair) === JSON.stringify(stage.pair)) return;
    operate({ type: "stage", stage: { slide: stage.slide, pair, tour: null }, views: [] });
  }
}

/** Whether the slides are aligned by their registration. */
function isAutomatic({ link, more = [] }: SharedComparison): boolean {
  return [link, ...more.map((beside) => beside.link)].some((one) => one?.automatic);
}
