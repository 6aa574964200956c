/** A slide that is read from files, without any service (static.md). */
import type { Fetch } from "../http/http";
import type { SlideClient, Traffic } from "./slideClient";

/** What takes the place of the service for such a slide. */
export interface SlideFiles {
  /** Its blocks; `traffic` counts what is read. */
  client(traffic: Traffic): SlideClient;
  /** Answers the requests for its annotations and its colours. */
  readonly fetcher: Fetch;
  /** What names a file that no service has a version of; it reads all of the file. Throws an Error in words for the user. */
  readonly fingerprint?: () => Promise<{ readonly bytes: number; readonly sha256: string }>;
  /** Ends what the page holds of the files. */
  close(): void;
}
