/** One microscope bound to one pane of the session's stage: views, cursors and annotations go to and fro. */
import type { ClientState } from "@wavescope/core/session/client";
import { type SessionState, type ViewEntry, follows, leads, memberOf, shownEntry } from "@wavescope/core/session/state";
import { annotationsOf, openAnnotations } from "@wavescope/viewer/annotate/annotations";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { Motion } from "@wavescope/viewer/live/motion";
import { OwnPointer, type Pointed, pointByTouch } from "@wavescope/viewer/live/ownPointer";
import { PointerLayer } from "@wavescope/viewer/live/pointers";
import { SharedMicroscope } from "@wavescope/viewer/live/viewSharing";
import type { View } from "@wavescope/viewer/view/view";
import { laser } from "../state/laser";
import { nameOf, ownNames } from "../state/names";
import { type Live, type Participant, operate, participantOf } from "../state/live";
import { sharedView } from "../state/sharedView";
import { areSameSlides, sceneAt } from "../state/stage";

/** Milliseconds after an own movement in which another's does not move the picture (SE18), and then it does again. */
const CLAIM = 600;

/** Milliseconds between the steps of a dragged view with reduced motion. */
const STEP = 500;

/** What a comparison adds to one of its panes. */
export interface PaneRole {
  readonly pane: ViewEntry["pane"];
  /** Whether its movements are sent to the other members: not while it only follows the other pane. */
  leads(): boolean;
  /** Whether it is set to an entry of its own: not where it follows the other pane. */
  accepts(session: SessionState, entry: ViewEntry): boolean;
  swipe(): ViewEntry["swipe"];
}

const ALONE: PaneRole = { pane: 0, leads: () => true, accepts: () => true, swipe: () => null };

export class ViewerBinding {
  private readonly shared: SharedMicroscope;
  private readonly pointers: PointerLayer;
  private readonly own: OwnPointer;
  private readonly stops: (() => void)[];
  private last: ViewEntry | null = null;
  private wasLeading = false;
  private claimed = -Infinity;
  private claim: ReturnType<typeof setTimeout> | null = null;
  private at: Pointed = null;
  private annotations = 0;
  private stage = -1;
  private readonly reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  private stepped = -Infinity;

  constructor(
    private readonly microscope: Microscope,
    private readonly here: Live,
    private readonly role: PaneRole = ALONE,
  ) {
    this.shared = new SharedMicroscope(microscope, {
      handleOwnMove: () => this.handleOwnMove(),
      sendView: (view, motion) => this.sendView(view, motion),
    });
    this.pointers = new PointerLayer(microscope);
    this.own = new OwnPointer(microscope, (at) => {
      this.at = at;
      this.pointers.hover(at);
      this.point();
    });
    this.stops = [
      here.connection.state.subscribe((client) => this.handleState(client)),
      laser.subscribe(({ on }) => {
        this.own.pointAtCentre(on);
        this.point();
      }),
      ownNames.subscribe(() => this.showPointers(this.participant)),
      pointByTouch(microscope, () => laser.getState().on && this.participant !== null),
    ];
    this.own.pointAtCentre(laser.getState().on);
    this.handleState(here.connection.state.getState());
  }

  /** Tells what is looked at once more. */
  report(): void {
    this.shared.report();
  }

  close(): void {
    for (const stop of this.stops) stop();
    if (this.claim !== null) clearTimeout(this.claim);
    this.shared.close();
    this.pointers.close();
    this.own.close();
    if (this.here.recording) openAnnotations(this.microscope)?.store.showRecorded(null);
  }

  /** The participant, while this page shows the session's scene. */
  private get participant(): Participant | null {
    const participant = participantOf(this.here.connection.state.getState());
    return participant && areSameSlides(sceneAt(location), participant.session.stage) ? participant : null;
  }

  private handleState(client: ClientState): void {
    this.showRecorded();
    const { participant } = this;
    if (!participant || client.phase === "over") {
      this.pointers.set([]);
      this.shared.release();
      this.last = null;
      this.wasLeading = false;
      return;
    }
    this.applyParticipant(participant);
    if (client.phase !== "live") this.wasLeading = false; // once it is back, the presenter's view is sent again: the stored one may be older
    this.showPointers(participant);
    this.refreshAnnotations(participant);
  }

  private applyParticipant({ session, you, following }: Participant): void {
    const presents = session.state === "live" && session.presenter === you;
    const entry = shownEntry(session, this.role.pane);
    if (presents && (!this.wasLeading || this.stage !== session.stage.number)) {
      const alreadyShown = entry !== null && entry === this.last; // handed over: what all look at stays until it is moved
      this.shared.release();
      if (!alreadyShown) this.shared.report();
    }
    this.wasLeading = presents;
    this.stage = session.stage.number;
    if (!follows(session, you, following)) {
      this.last = null;
      if (!presents) this.shared.release();
      if (!presents && entry && session.state === "live") this.shared.prefetchHint(entry.view, entry.motion);
      return;
    }
    if (
      !entry ||
      entry === this.last ||
      entry.by === you ||
      !this.role.accepts(session, entry) ||
      performance.now() - this.claimed < CLAIM
    )
      return;
    const view = this.withReducedMotion(entry);
    if (!view) return;
    this.last = entry;
    this.shared.show(view);
    this.shared.prefetchHint(view, view === entry.view ? entry.motion : null);
  }

  /** What is shown of a moving view: with reduced motion, its target, or a step of it now and then. Null: nothing yet. */
  private withReducedMotion({ view, motion }: ViewEntry): ViewEntry["view"] | null {
    if (!motion || !this.reducedMotion.matches) return view;
    if (motion.target) return motion.target;
    if (performance.now() - this.stepped < STEP) return null;
    this.stepped = performance.now();
    return view;
  }

  /** An own movement: it moves everybody, or it frees. */
  private handleOwnMove(): void {
    const { participant } = this;
    if (!participant || !this.role.leads()) return;
    const { session, you, following } = participant;
    if (leads(session, you, following)) {
      this.shared.release();
      if (session.presenter !== you) this.claimLead();
    } else if (follows(session, you, following)) operate({ type: "follow", following: false });
  }

  /** If everyone can navigate, the member who moves becomes the presenter, unless another member is moving; then the view of that member returns. */
  private claimLead(): void {
    this.claimed = performance.now();
    if (this.claim !== null) clearTimeout(this.claim);
    this.claim = setTimeout(() => this.handleState(this.here.connection.state.getState()), CLAIM + 1);
  }

  private sendView(view: View, motion: Motion | null): void {
    const { participant } = this;
    if (!participant || !this.role.leads()) return;
    const { session, you, following } = participant;
    if (!leads(session, you, following)) return;
    if (session.presenter !== you && performance.now() - this.claimed >= CLAIM) return;
    const sent = motion && { ...motion, target: motion.target && sharedView(motion.target) };
    this.here.connection.view({
      pane: this.role.pane,
      stage: session.stage.number,
      view: sharedView(view),
      motion: sent,
      swipe: this.role.swipe(),
    });
  }

  private point(): void {
    const { participant } = this;
    if (!participant) return;
    const { l0_x = null, l0_y = null } = this.at ?? {};
    this.here.connection.cursor({
      pane: this.role.pane,
      stage: participant.session.stage.number,
      l0_x,
      l0_y,
      laser: laser.getState().on,
    });
    this.showPointers(participant);
  }

  /** Those of others, and the own laser: the others see it, and so does who looks at a projector. */
  private showPointers(participant: Participant | null): void {
    if (!participant) return;
    const { session, you } = participant;
    const own = this.at && laser.getState().on ? [{ by: you, pane: this.role.pane, ...this.at, laser: true }] : [];
    const seen = session.cursors.filter(({ by, pane }) => by !== you && pane === this.role.pane);
    this.pointers.set(
      [...own, ...seen].flatMap(({ by, l0_x, l0_y, laser: laserOn }) => {
        const member = memberOf(session, by);
        if (!member || l0_x === null || l0_y === null) return [];
        const label = by === you ? "hidden" : nameOf(session, by);
        return [{ id: by, name: member.name, color: member.color, l0_x, l0_y, laser: laserOn, label }];
      }),
    );
  }

  /** A replay shows the annotations of its time, if it has any of this slide (SE38). */
  private showRecorded(): void {
    const link = this.here.recording?.link;
    if (!link) return;
    const { time } = link.playing.getState();
    annotationsOf(this.microscope).store.showRecorded(link.replay.annotations(this.microscope.manifest.id, time));
  }

  /** Others have changed annotations of this slide: asked for at once (SE35). */
  private refreshAnnotations({ session }: Participant): void {
    const sequence = session.annotations.find(({ slide }) => slide === this.microscope.manifest.id)?.sequence ?? 0;
    if (sequence <= this.annotations) return;
    this.annotations = sequence;
    annotationsOf(this.microscope).store.refresh();
  }
}
