import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { PeopleMap } from "@wavescope/core/wire/accounts/coverageClient";
import { percentLabel } from "../../ui/format";
import { type Covered, useCovered } from "./covered";
import { partsOfPeople, usePeopleMap } from "./people";
import styles from "./coverage.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** How many people saw the tissue, in words beside the map. */
export function PeopleSummary({ microscope }: { readonly microscope: Microscope }) {
  const covered = useCovered(microscope);
  const { data, error } = usePeopleMap(microscope, covered);
  return (
    <div className={styles.people} role="status" data-testid="people-summary">
      {error && <div>{t("coverage.noPeople")}</div>}
      {covered && data && linesOf(covered, data).map((line) => <div key={line}>{line}</div>)}
    </div>
  );
}

function linesOf({ mask }: Covered, map: PeopleMap): readonly string[] {
  if (!map.counts) return [t("coverage.fewPeople")];
  const { nobody, half } = partsOfPeople(mask, map);
  return [
    t("coverage.peopleSharing", { count: map.people }),
    t("coverage.peopleReviewed", { count: map.reviewed ?? 0 }),
    t("coverage.unseenByAll", { part: percentLabel(nobody) }),
    t("coverage.seenByHalf", { part: percentLabel(half) }),
  ];
}
