import { Button, Center, Loader } from "@mantine/core";
import { useEffect } from "react";
import { Failure } from "../accounts/Failure";
import { ErrorPage } from "../ui/ErrorPage";
import { errorOf } from "../state/queries";
import { casePath, navigate, slidePath } from "../state/router";
import type { StoredTour } from "@wavescope/core/wire/catalog/toursClient";
import { slideOf, useTour } from "../microscope/openTour";
import { t } from "@wavescope/core/i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

/** The link of a tour: leads to its first stop. */
export function TourPage({ id }: { readonly id: string }) {
  const query = useTour(id);
  const { data } = query;
  const slide = data && slideOf(data, data.tour.waypoints.at(0));
  const empty = data !== undefined && data.tour.waypoints.length === 0;
  usePageTitle(data?.tour.title ?? t("tours.tour"));
  useEffect(() => {
    if (data && slide && !empty)
      navigate(
        slidePath(slide),
        { ...(data.caseId === null ? {} : { case: data.caseId }), tour: id, step: "0" },
        { replace: true },
      );
  }, [data, id, slide, empty]);
  const error = data ? null : errorOf(query);
  return (
    <Center component="main" mih="100dvh" p="md">
      {data && (empty || !slide) ? (
        <EmptyTour tour={data} />
      ) : error ? (
        <Failure error={error} thing="tour" />
      ) : (
        <Loader aria-label={t("tours.openingTour")} />
      )}
    </Center>
  );
}

function EmptyTour({ tour: { tour, slideId, caseId } }: { readonly tour: StoredTour }) {
  return (
    <ErrorPage
      title={tour.title ? t("tours.titleHasNoStopsYet", { title: tour.title }) : t("tours.noStopsYet")}
      reason={t("tours.nothingToPlay")}
    >
      {slideId !== null && <Button onClick={() => navigate(slidePath(slideId))}>{t("tours.openItsSlide")}</Button>}
      {slideId === null && caseId !== null && (
        <Button onClick={() => navigate(casePath(caseId))}>{t("tours.openItsCase")}</Button>
      )}
    </ErrorPage>
  );
}
