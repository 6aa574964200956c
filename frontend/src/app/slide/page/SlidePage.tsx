import { Center, Loader } from "@mantine/core";
import { useLayoutEffect } from "react";
import { prepareOpening } from "../../../viewer/core/opening";
import { beginThumbnail } from "../../../viewer/core/thumbnail";
import { errorOf, useManifest } from "../../state/queries";
import { OpenFailure } from "../../microscope/OpenFailure";
import { SlideView } from "./SlideView";
import styles from "../../microscope/slide.module.css";
import { t } from "../../../i18n/i18n";
import { usePageTitle } from "../../ui/usePageTitle";

export function SlidePage({ id }: { readonly id: string }) {
  // Before the microscope, in an effect of its own, takes over what was begun.
  useLayoutEffect(() => {
    prepareOpening();
    beginThumbnail(id);
  }, [id]);
  const query = useManifest(id);
  usePageTitle(query.data?.title);
  if (query.data)
    return <SlideView key={query.data.digest} manifest={query.data} onReload={() => void query.refetch()} />;
  const error = errorOf(query);
  return (
    <Center className={styles.page} component="main">
      {error ? <OpenFailure error={error} /> : <Loader aria-label={t("page.openingSlide")} />}
    </Center>
  );
}
