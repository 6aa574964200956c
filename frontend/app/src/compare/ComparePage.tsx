import { Center, Loader } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { useEffect } from "react";
import { parseIds } from "@wavescope/viewer/compare/address";
import { warmUp } from "@wavescope/viewer/core/sources";
import { errorOf, manifestQuery } from "../state/queries";
import { useSearchText } from "../state/router";
import slideStyles from "../microscope/slide.module.css";
import { CompareView } from "./CompareView";
import { MissingSlides } from "./MissingSlides";
import { t } from "@wavescope/core/i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

/** Two to four slides (or one several times) beside each other, or two of them one over the other; see viewer/compare/address.ts for the address. */
export function ComparePage() {
  useEffect(warmUp, []);
  const ids = parseIds(useSearchText());
  if (ids.length > 1) return <Slides key={ids.join("|")} ids={ids} />;
  return <MissingSlides slides={ids.map((id) => ({ id, title: id, error: null }))} />;
}

function Slides({ ids }: { readonly ids: readonly string[] }) {
  const queries = useQueries({
    queries: ids.map((id) => ({ ...manifestQuery(id), refetchOnWindowFocus: false, gcTime: 0 })),
  });
  const slides = queries.flatMap(({ data }) => (data ? [data] : []));
  const all = slides.length === ids.length;
  usePageTitle(all ? slides.map(({ title }) => title).join(" | ") : undefined);
  if (all)
    return (
      <CompareView
        key={slides.map(({ digest }) => digest).join("|")}
        slides={slides}
        onReload={() => queries.forEach((query) => void query.refetch())}
      />
    );
  const known = queries.map((query, pane) => ({
    id: ids[pane]!,
    title: query.data?.title ?? ids[pane]!,
    error: query.data ? null : errorOf(query),
  }));
  if (known.some(({ error }) => error)) return <MissingSlides slides={known} />;
  return (
    <Center className={slideStyles.page} component="main">
      <Loader aria-label={t("compare.openingSlides")} />
    </Center>
  );
}
