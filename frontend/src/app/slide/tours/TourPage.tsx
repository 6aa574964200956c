import { Alert, Center, Loader } from "@mantine/core";
import { useEffect } from "react";
import { explain } from "../../../wire/errors";
import { navigate, slidePath } from "../../router";
import { slideOf, useTour } from "./tour";

/** The link of a tour: leads to its first stop. */
export function TourPage({ id }: { readonly id: string }) {
  const { data, error } = useTour(id);
  const slide = data && slideOf(data, data.tour.waypoints.at(0));
  useEffect(() => {
    if (data && slide) navigate(slidePath(slide), { ...(data.caseId === null ? {} : { case: data.caseId }), tour: id, step: "0" }, { replace: true });
  }, [data, id, slide]);
  return (
    <Center component="main" h="100dvh">
      {error || (data && !slide) ? <Alert color="red">{error ? explain(error) : "This tour has no stops yet."}</Alert> : <Loader aria-label="Opening the tour" />}
    </Center>
  );
}
