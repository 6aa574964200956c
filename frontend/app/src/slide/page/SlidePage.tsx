import "./styles";
import { Center, Loader } from "@mantine/core";
import { useStore } from "zustand";
import { fromStore } from "@wavescope/core/wire/slides/manifestClient";
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
const StoredCheck = later(async () => (await import("./StoredCheck")).StoredCheck);

export function SlidePage({ id }: { readonly id: string }) {
  const query = useManifest(id);
  const { data } = query;
  usePageTitle(data?.title);
  const stored = useStore(fromStore, ({ manifests }) => data !== undefined && manifests.has(data));
  if (data)
    return (
      <SlideView key={data.digest} manifest={data} onReload={() => void query.refetch()}>
        {stored && <StoredCheck manifest={data} open={query.refetch} />}
      </SlideView>
    );
  const error = errorOf(query);
  return (
    <Center className={styles.page} component="main">
      {error ? <OpenFailure error={error} /> : loader}
    </Center>
  );
}
