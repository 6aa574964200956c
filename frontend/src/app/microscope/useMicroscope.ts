import { type RefObject, useEffect, useState } from "react";
import { fallbackReason } from "../../viewer/core/device/capabilities";
import type { Microscope } from "../../viewer/core/microscope";
import { holdStill } from "../../viewer/navigation/holding";
import { openMicroscope } from "../../viewer/navigation/openMicroscope";
import { parseViewLink } from "../../viewer/core/viewLink";
import { showViewLink } from "../../viewer/view/view";
import { type Manifest, middlePlane } from "../../wire/slides/manifest";
import { closedHooks, openHooks } from "../testHooks";
import { followAddress } from "./browserHistory";
import { takeFromLink } from "./bookmarks/bookmarks";
import { t } from "../../i18n/i18n";

const PREVIEW = t("microscope.importing");

/** Opens the microscope in an element for as long as the page shows this slide version. */
export function useMicroscope(element: RefObject<HTMLElement | null>, manifest: Manifest) {
  const [scope, setScope] = useState<Microscope | null>(null);
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
    ).then(
      (microscope) => {
        if (gone) return microscope.close();
        opened = microscope;
        microscope.viewer.addOnceHandler("open", () => {
          if (viewLink) showViewLink(microscope, viewLink, true);
          takeFromLink(microscope, location.hash);
          window.__wavescope = openHooks(microscope);
          setScope(microscope);
        });
      },
      (error: Error) => setFailure(error),
    );
    return () => {
      gone = true;
      window.__wavescope = closedHooks("slide");
      setScope(null);
      opened?.close();
    };
  }, [element, manifest]);
  useEffect(() => (scope ? followAddress(scope) : undefined), [scope]);
  useEffect(() => (scope ? holdStill(scope) : undefined), [scope]);
  return { scope, failure };
}
