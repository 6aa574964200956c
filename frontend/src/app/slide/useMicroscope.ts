import { type RefObject, useEffect, useState } from "react";
import { fallbackReason } from "../../viewer/capabilities";
import { Microscope } from "../../viewer/microscope";
import { lightOf } from "../../viewer/light/light";
import { parsePlace, placeHash } from "../../viewer/place";
import { readPlace, showPlace } from "../../viewer/view";
import type { Manifest } from "../../wire/manifest";
import { closedHooks, openHooks } from "../testHooks";

const REST_MILLISECONDS = 300;

/** Opens the microscope in an element for as long as the page shows this slide version. */
export function useMicroscope(element: RefObject<HTMLElement | null>, manifest: Manifest) {
  const [scope, setScope] = useState<Microscope | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    let gone = false;
    let opened: Microscope | null = null;
    const place = parsePlace(location.hash);
    Microscope.open(element.current!, manifest, fallbackReason(), place?.plane ?? middlePlane(manifest)).then(
      (microscope) => {
        if (gone) return microscope.close();
        opened = microscope;
        microscope.stage.addOnceHandler("open", () => {
          if (place) showPlace(microscope, place, true);
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
  useAddress(scope);
  return { scope, failure };
}

/** Keeps the address bar at the place in view, without a history entry for each move. */
function useAddress(scope: Microscope | null): void {
  useEffect(() => {
    if (!scope) return;
    let timer: ReturnType<typeof setTimeout>;
    const later = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        history.replaceState(history.state, "", location.pathname + location.search + placeHash(readPlace(scope)));
      }, REST_MILLISECONDS);
    };
    const stops = [scope.state.subscribe(later), lightOf(scope).state.subscribe(later)];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [scope]);
}

/** Scanners lay the sharpest plane in the middle. */
function middlePlane(manifest: Manifest): number {
  return Math.floor(manifest.planes / 2);
}
