import { type RefObject, useEffect, useState } from "react";
import { fallbackReason } from "@wavescope/viewer/core/device/capabilities";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { holdStill } from "@wavescope/viewer/navigation/holding";
import { openMicroscope } from "@wavescope/viewer/navigation/openMicroscope";
import { parseViewLink } from "@wavescope/viewer/core/viewLink";
import { showViewLink } from "@wavescope/viewer/view/view";
import { entriesIn } from "@wavescope/core/tiles/channels/mixEntries";
import { type Manifest, middlePlane } from "@wavescope/core/wire/slides/manifest";
import { closedHooks } from "../closedHooks";
import { openHooks } from "../testHooks";
import { followAddress } from "./browserHistory";
import { t } from "@wavescope/core/i18n/i18n";

const PREVIEW = t("microscope.importing");

/** Milliseconds that the slide's first frame has for itself: what the page renders for an open microscope would hold it up. */
const FIRST_FRAME = 40;

/** Opens the microscope in an element for as long as the page shows this slide version. */
export function useMicroscope(element: RefObject<HTMLElement | null>, manifest: Manifest) {
  const [microscope, setScope] = useState<Microscope | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    let gone = false;
    let opened: Microscope | null = null;
    const viewLink = parseViewLink(location.hash);
    openMicroscope(
      element.current!,
      manifest,
      manifest.preview ? PREVIEW : fallbackReason(),
      viewLink?.plane ?? middlePlane(manifest.planes),
      1,
      entriesIn(viewLink?.adjustments ?? {}),
    ).then(
      (microscope) => {
        if (gone) return microscope.close();
        opened = microscope;
        microscope.viewer.addOnceHandler("open", () => {
          if (viewLink) showViewLink(microscope, viewLink, true);
          void takeBookmarks(microscope, location.hash);
          window.__wavescope = openHooks(microscope);
          setTimeout(() => !gone && setScope(microscope), FIRST_FRAME);
        });
      },
      (error: unknown) => setFailure(error as Error),
    );
    return () => {
      gone = true;
      window.__wavescope = closedHooks("slide");
      setScope(null);
      opened?.close();
    };
  }, [element, manifest]);
  useEffect(() => (microscope ? followAddress(microscope) : undefined), [microscope]);
  useEffect(() => (microscope ? holdStill(microscope) : undefined), [microscope]);
  return { microscope, failure };
}

/** Takes over the bookmarks of the link, if it has any: few links have. */
async function takeBookmarks(microscope: Microscope, hash: string): Promise<void> {
  if (!hash.includes("bookmarks=")) return;
  try {
    const { takeFromLink } = await import("./bookmarks/bookmarks");
    takeFromLink(microscope, hash);
  } catch {
    // the link still has them
  }
}
