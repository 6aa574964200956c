/**
 * Keeps the page and the session's stage together: the leader takes the stage to another slide, followers go with it, and
 * who goes elsewhere by itself is free. Without React; started once for each session.
 */
import { follows, leads, mayHandOver } from "@wavescope/core/session/state";
import { navigate, onNavigation } from "../../state/router";
import { type Live, type Participant, updateAddress, live, operate, participantOf } from "../state/live";
import { addressOfScene, areSameSlides, isSamePage, sceneAt, slidesOf } from "../state/stage";

export class StageNavigator {
  private readonly stops: (() => void)[];
  /** The stage this window was taken to, or has set, last; null before the first. */
  private shown: number | null = null;
  private travelling = false;
  private wasFollowing = false;

  constructor(private readonly here: Live) {
    const { state } = here.connection;
    this.stops = [state.subscribe(() => this.handleState()), onNavigation(() => this.moved())];
    this.handleState();
  }

  close(): void {
    for (const stop of this.stops) stop();
  }

  private get participant(): Participant | null {
    return live.getState().live === this.here ? participantOf(this.here.connection.state.getState()) : null;
  }

  /** The session has changed: does this window have to go to another page? */
  private handleState(): void {
    const { participant } = this;
    if (!participant) return;
    const { session, you, following } = participant;
    const number = session.stage.number;
    const first = this.shown === null;
    const follower = follows(session, you, following);
    const rejoined = follower && !this.wasFollowing;
    this.wasFollowing = follower;
    if (this.shown === number && !rejoined) return;
    this.shown = number;
    if (first || follower || (leads(session, you, following) && session.presenter !== you)) void this.goTo(participant);
  }

  private async goTo({ session }: Participant): Promise<void> {
    const { stage } = session;
    if (isSamePage(sceneAt(location), stage)) return;
    const { path, query } = await addressOfScene(stage);
    if (this.participant?.session.stage.number !== stage.number) return;
    this.travelling = true;
    navigate(path, query);
    updateAddress(this.here);
    this.travelling = false;
  }

  /** This window's page has changed: by its own user, or because it was taken along. */
  moved(): void {
    const { participant } = this;
    if (!participant || this.travelling || this.shown === null) return;
    const { session, you, following } = participant;
    const scene = sceneAt(location);
    if (isSamePage(scene, session.stage)) return;
    if (!leads(session, you, following) && areSameSlides(scene, session.stage) && !scene?.tour) return; // only the tour's words were closed
    if (!leads(session, you, following)) {
      if (following && session.state === "live") operate({ type: "follow", following: false });
      return;
    }
    if (!scene) return; // on the way to another slide
    const known = new Set(session.slides.map(({ id }) => id));
    const missing = slidesOf(scene).filter((id) => !known.has(id));
    if (missing.length > 0 && mayHandOver(session, you))
      operate({ type: "slides", slides: [...known, ...new Set(missing)] });
    operate({ type: "stage", stage: scene, views: [] });
  }
}
