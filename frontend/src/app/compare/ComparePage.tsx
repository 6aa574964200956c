import { Center, Loader } from "@mantine/core";
import { useEffect } from "react";
import { warmUp } from "../../viewer/core/sources";
import { obstacleOf, useManifest } from "../state/queries";
import { useQueryParameter } from "../state/router";
import slideStyles from "../microscope/slide.module.css";
import { CompareView } from "./CompareView";
import { type SideOfComparison, MissingSlides } from "./MissingSlides";
import { t } from "../../i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

/** Two slides (or one slide twice) side by side or one over the other; see viewer/compare/address.ts for the address. */
export function ComparePage() {
  useEffect(warmUp, []);
  const left = useQueryParameter("left");
  const right = useQueryParameter("right");
  if (left && right) return <Both key={`${left}|${right}`} left={left} right={right} />;
  return (
    <MissingSlides left={{ id: left, title: left, error: null }} right={{ id: right, title: right, error: null }} />
  );
}

function Both({ left, right }: { readonly left: string; readonly right: string }) {
  const one = useManifest(left);
  const other = useManifest(right);
  const titles = [one.data?.title, other.data?.title];
  usePageTitle(titles[0] && titles[1] ? `${titles[0]} | ${titles[1]}` : undefined);
  const reload = (): void => {
    void one.refetch();
    void other.refetch();
  };
  if (one.data && other.data) {
    return (
      <CompareView
        key={`${one.data.digest}|${other.data.digest}`}
        left={one.data}
        right={other.data}
        onReload={reload}
      />
    );
  }
  const sideOf = (id: string, query: typeof one): SideOfComparison => ({
    id,
    title: query.data?.title ?? id,
    error: query.data ? null : obstacleOf(query),
  });
  const sides = { left: sideOf(left, one), right: sideOf(right, other) };
  if (sides.left.error || sides.right.error) return <MissingSlides {...sides} />;
  return (
    <Center className={slideStyles.page} component="main">
      <Loader aria-label={t("compare.openingSlides")} />
    </Center>
  );
}
