/** Two microscopes bound to the two panes of the session's stage, and how they are arranged, side by side or one over the other. */
import { type SessionState, type SharedComparison, follows } from "@wavescope/core/session/state";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { readNow } from "@wavescope/viewer/compare/following";
import type { ComparisonState } from "@wavescope/viewer/compare/comparisonState";
import { ViewerBinding, type PaneRole } from "../session/follow/viewerBinding";
import { type Live, type Participant, operate, participantOf } from "../session/state/live";
import { areSameSlides, linkOf, sceneAt, sharedLink } from "../session/state/stage";

/** Milliseconds in which changes of the arrangement are one. */
const REPORT_DELAY = 150;

export class ComparisonBinding {
  private readonly panes: Readonly<Record<"left" | "right", ViewerBinding>>;
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
    this.panes = {
      left: new ViewerBinding(comparison.microscopes.left, here, this.pane(0)),
      right: new ViewerBinding(comparison.microscopes.right, here, this.pane(1)),
    };
    this.stops = [
      here.connection.state.subscribe(() => this.handleState()),
      comparison.state.subscribe((now, before) => this.changed(now, before)),
    ];
    this.handleState();
    this.scheduleReport();
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    for (const stop of this.stops) stop();
    this.panes.left.close();
    this.panes.right.close();
  }

  private get participant(): Participant | null {
    const participant = participantOf(this.here.connection.state.getState());
    return participant && areSameSlides(sceneAt(location), participant.session.stage) ? participant : null;
  }

  private pane(pane: 0 | 1): PaneRole {
    const side = pane === 0 ? "left" : "right";
    const state = (): ComparisonState => this.comparison.state.getState();
    return {
      pane,
      leads: () => state().link === null || state().active === side,
      accepts: (session, entry) => state().link === null || session.views.at(-1) === entry,
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
      const { alignment } = this.comparison;
      const automatic = shared.link?.automatic ?? false;
      if (!automatic) alignment.forget();
      this.comparison.arrange({ mode: shared.mode, swapped: shared.swapped, link: shared.link && linkOf(shared.link) });
      if (automatic && !alignment.correct([])) void alignment.start([], false);
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
    const arranged = now.mode !== before.mode || now.swapped !== before.swapped || now.link !== before.link;
    const swiped = now.divider !== before.divider || now.blend !== before.blend;
    if (this.applying || !participant || !(arranged || swiped)) return;
    const { session, you, following } = participant;
    if (follows(session, you, following) && this.applied?.link?.automatic && now.link?.places) return; // its field has come
    if (follows(session, you, following)) return operate({ type: "follow", following: false });
    if (swiped) this.panes[now.active].report();
    if (arranged) this.scheduleReport();
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
    const { mode, swapped, link } = this.comparison.state.getState();
    const pair: SharedComparison = {
      slide: this.comparison.microscopes.right.manifest.id,
      mode,
      swapped,
      link: link && sharedLink(link, readNow(this.comparison.microscopes.left)),
    };
    if (JSON.stringify(pair) === JSON.stringify(stage.pair)) return;
    operate({ type: "stage", stage: { slide: stage.slide, pair, tour: null }, views: [] });
  }
}
