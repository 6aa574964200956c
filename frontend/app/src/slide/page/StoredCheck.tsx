import { useEffect } from "react";
import { isRefusal } from "@wavescope/core/wire/http/errors";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { checkManifest, markChecked } from "@wavescope/core/wire/slides/manifestCheck";

interface Props {
  readonly manifest: Manifest;
  readonly open: () => Promise<unknown>;
}

/** Milliseconds between two attempts to reach the service. */
const CHECKED_EVERY = 5000;

/** A slide that is shown as it was stored is opened with the service as soon as that answers: it may have changed, or be refused (PG25). */
export function StoredCheck({ manifest, open }: Props) {
  useEffect(() => {
    const control = new AbortController();
    const check = (): void =>
      void checkManifest(manifest.id, control.signal).then(
        (found) => {
          if (!found) return;
          markChecked(manifest);
          if (found.digest !== manifest.digest) void open();
        },
        (error: unknown) => {
          if (isRefusal(error)) location.reload(); // to the page that says so
        },
      );
    const timer = setInterval(check, CHECKED_EVERY);
    addEventListener("online", check, { signal: control.signal });
    return () => {
      clearInterval(timer);
      control.abort();
    };
  }, [manifest, open]);
  return null;
}
