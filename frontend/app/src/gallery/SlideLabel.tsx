import { useQuery } from "@tanstack/react-query";
import { identityImage, identityOf } from "@wavescope/core/wire/catalog/phiClient";
import type { SlideSummary } from "@wavescope/core/wire/slides/manifest";
import styles from "./slideGrid.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** The picture of a slide's label, if it has one. The service records who sees it: only what is on the screen is asked for. */
export function SlideLabel({ slide: { id, title } }: { readonly slide: SlideSummary }) {
  const identity = useQuery({
    queryKey: ["identity", id],
    queryFn: ({ signal }) => identityOf(id, signal),
    retry: false,
    staleTime: Infinity,
  });
  if (!identity.data?.images.includes("label")) return null;
  return (
    <img
      className={styles.label}
      src={identityImage(id, "label")}
      alt={t("gallery.labelOf", { title })}
      loading="lazy"
      decoding="async"
    />
  );
}
