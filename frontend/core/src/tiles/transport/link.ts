/** What this page has measured of its link to the service, for all slides, and the choice of the transport (WI122). */
import { networkResponse } from "../../wire/http/networkResponse";
import type { LinkMeasures } from "../../wire/slides/pushClient";
import {
  type LinkFigures,
  NO_FIGURES,
  type Sample,
  type Transport,
  chooseTransport,
  failed,
  lanesFor,
  measured,
  rateOf,
  responseOf,
  wantsPush,
} from "./choice";

export class Link {
  private figures: LinkFigures = NO_FIGURES;

  /** `forced`: for measurements, the transport that is used whatever was measured. */
  constructor(
    private readonly forced: () => Transport | null = () => null,
    readonly now: () => number = () => performance.now(),
    /** The shortest recent response to any request; null: it is not known. */
    private readonly network: (now: number) => number | null = () => null,
    /** Whether requests share one connection, whose server may answer one after the other (HTTP/2). */
    readonly isShared: () => boolean = () => false,
  ) {}

  measured(transport: Transport, sample: Sample): void {
    this.figures = measured(this.figures, transport, sample);
  }

  failed(transport: Transport): void {
    this.figures = failed(this.figures, transport, this.now());
  }

  wantsPush(): boolean {
    const forced = this.forced();
    return forced === null
      ? wantsPush(this.figures, this.network(this.now()), this.now())
      : forced === "push" && this.figures.push.failures === 0;
  }

  /** `pushOpen`: whether the push connection is open. */
  choose(pushOpen: boolean): Transport {
    const forced = this.forced();
    if (forced === "push") return this.figures.push.failures === 0 ? "push" : "batch";
    return forced ?? chooseTransport(this.figures, pushOpen, this.network(this.now()), this.now());
  }

  /** What is used for requests without a push connection. */
  chooseRequest(): "get" | "batch" {
    return this.choose(false) === "get" ? "get" : "batch";
  }

  /** Batches to request so many ranges in, at the same time, or parts of a first view. */
  lanes(ranges: number): number {
    const now = this.now();
    return this.isShared() ? 1 : lanesFor(ranges, this.figures, this.network(now), now);
  }

  measures(): LinkMeasures {
    const { get, batch, push } = this.figures;
    const now = this.now();
    return {
      rate: rateOf(push, now) ?? rateOf(batch, now) ?? rateOf(get, now),
      roundTrip: responseOf(push, now) ?? this.network(now) ?? responseOf(batch, now),
    };
  }
}

const FORCED_KEY = "wavescope.transport";

/** The link of this page: it chooses, unless localStorage["wavescope.transport"] names a transport. */
export const pageLink = new Link(
  () => {
    try {
      const value = localStorage.getItem(FORCED_KEY);
      return value === "get" || value === "batch" || value === "push" ? value : null;
    } catch {
      return null;
    }
  },
  undefined,
  networkResponse,
  () => location.protocol === "https:", // browsers speak HTTP/2 there, and nowhere else
);
