import { Center, Loader } from "@mantine/core";
import { useEffect, useLayoutEffect } from "react";
import { useStore } from "zustand";
import { prepareOpening } from "@wavescope/viewer/core/opening";
import { beginThumbnail } from "@wavescope/viewer/core/thumbnail";
import { isRefusal } from "@wavescope/core/wire/http/errors";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { checkManifest, fromStore, markChecked } from "@wavescope/core/wire/slides/manifestClient";
import { errorOf, useManifest } from "../../state/queries";
import { SlideView } from "./SlideView";
import styles from "../../microscope/slide.module.css";
import { t } from "@wavescope/core/i18n/i18n";
import { later } from "../../ui/later/Later";
import { usePageTitle } from "../../ui/usePageTitle";

const loader = <Loader aria-label={t("page.openingSlide")} />;
const OpenFailure = later(async () => (await import("../../microscope/OpenFailure")).OpenFailure, {
  placeholder: loader,
});

/** Milliseconds between two attempts to reach the service. */
const CHECKED_EVERY = 5000;

/** A slide that is shown as it was stored is opened with the service as soon as that answers: it may have changed, or be refused (PG25). */
function useCheck(manifest: Manifest | undefined, open: () => Promise<unknown>): void {
  const stored = useStore(fromStore, ({ manifests }) => manifest !== undefined && manifests.has(manifest));
  useEffect(() => {
    if (!manifest || !stored) return undefined;
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
  }, [manifest, stored, open]);
}

export function SlidePage({ id }: { readonly id: string }) {
  // Before the microscope, in an effect of its own, takes over what was begun.
  useLayoutEffect(() => {
    prepareOpening();
    beginThumbnail(id);
  }, [id]);
  const query = useManifest(id);
  usePageTitle(query.data?.title);
  useCheck(query.data, query.refetch);
  if (query.data)
    return <SlideView key={query.data.digest} manifest={query.data} onReload={() => void query.refetch()} />;
  const error = errorOf(query);
  return (
    <Center className={styles.page} component="main">
      {error ? <OpenFailure error={error} /> : loader}
    </Center>
  );
}
