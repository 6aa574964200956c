import { Center, Loader } from "@mantine/core";
import { useEffect } from "react";
import { warmUp } from "@wavescope/viewer/core/sources";
import { errorOf, useManifest } from "../state/queries";
import { useQueryParameter } from "../state/router";
import slideStyles from "../microscope/slide.module.css";
import { CompareView } from "./CompareView";
import { type SideOfComparison, MissingSlides } from "./MissingSlides";
import { t } from "@wavescope/core/i18n/i18n";
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
  const leftSlide = useManifest(left);
  const rightSlide = useManifest(right);
  const titles = [leftSlide.data?.title, rightSlide.data?.title];
  usePageTitle(titles[0] && titles[1] ? `${titles[0]} | ${titles[1]}` : undefined);
  const reload = (): void => {
    void leftSlide.refetch();
    void rightSlide.refetch();
  };
  if (leftSlide.data && rightSlide.data) {
    return (
      <CompareView
        key={`${leftSlide.data.digest}|${rightSlide.data.digest}`}
        left={leftSlide.data}
        right={rightSlide.data}
        onReload={reload}
      />
    );
  }
  const sideOf = (id: string, query: typeof leftSlide): SideOfComparison => ({
    id,
    title: query.data?.title ?? id,
    error: query.data ? null : errorOf(query),
  });
  const sides = { left: sideOf(left, leftSlide), right: sideOf(right, rightSlide) };
  if (sides.left.error || sides.right.error) return <MissingSlides {...sides} />;
  return (
    <Center className={slideStyles.page} component="main">
      <Loader aria-label={t("compare.openingSlides")} />
    </Center>
  );
}
