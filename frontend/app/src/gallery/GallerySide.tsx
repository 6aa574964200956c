import { Button, NavLink } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconFilter, IconTrash } from "@tabler/icons-react";
import { useMay } from "../accounts/account";
import { CaseList } from "../cases/CaseList";
import { addressOf, follow } from "../state/router";
import { useFacets } from "../cases/queries";
import type { FacetPanelProps } from "./FacetPanel";
import { later } from "../ui/later/Later";
import { SavedSearches } from "./SavedSearches";
import styles from "./gallery.module.css";
import { t } from "@wavescope/core/i18n/i18n";

const Recordings = later(async () => (await import("./Recordings")).Recordings, { afterPicture: true });
const FacetPanel = later(async () => (await import("./FacetPanel")).FacetPanel, { ownStyles: true });

type SideProps = Omit<FacetPanelProps, "facets">;

/** Cases, filters and the way to the trash, apart from each other: beside the slides, on narrow screens folded away above them. */
export function GallerySide(props: SideProps) {
  const wide = useMediaQuery("(min-width: 1000px)", true, { getInitialValueInEffect: false });
  const [open, { toggle }] = useDisclosure(false);
  const chosen = props.filter.labels.length;
  return (
    <aside className={styles.side}>
      {!wide && (
        <Button
          variant={chosen ? "light" : "default"}
          size="compact-sm"
          leftSection={<IconFilter size={14} />}
          aria-expanded={open}
          onClick={toggle}
        >
          {chosen ? t("gallery.casesAndFiltersChosen", { count: chosen }) : t("gallery.casesAndFilters")}
        </Button>
      )}
      {(wide || open) && (
        <>
          <CaseList />
          <SavedSearches filter={props.filter} />
          <Recordings />
          <Facets {...props} />
          <TrashLink />
        </>
      )}
    </aside>
  );
}

/** Asks for the facets while the code of their panel is on its way. */
function Facets(props: SideProps) {
  const { labels, search } = props.filter;
  const facets = useFacets(search.trim(), labels).data ?? [];
  return facets.length + labels.length > 0 && <FacetPanel {...props} facets={facets} />;
}

/** For those who may delete slides. */
function TrashLink() {
  if (!useMay("instructor")) return null;
  return (
    <NavLink
      href={addressOf("/trash")}
      onClick={(event) => follow(event, "/trash")}
      label={t("common.trash")}
      leftSection={<IconTrash size={16} />}
      data-testid="trash-link"
    />
  );
}
