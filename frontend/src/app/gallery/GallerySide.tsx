import { Button } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { IconFilter } from "@tabler/icons-react";
import { CaseList } from "../cases/CaseList";
import { FacetPanel, type FacetPanelProps } from "./FacetPanel";
import { Recordings } from "./Recordings";
import styles from "./gallery.module.css";
import { t } from "../../i18n/i18n";

/** Cases and filters: beside the slides, on narrow screens folded away above them. */
export function GallerySide(props: FacetPanelProps) {
  const wide = useMediaQuery("(min-width: 1000px)", true, { getInitialValueInEffect: false });
  const [open, { toggle }] = useDisclosure(false);
  return (
    <aside className={styles.side}>
      {!wide && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconFilter size={14} />}
          aria-expanded={open}
          onClick={toggle}
        >
          {t("gallery.casesAndFilters")}
        </Button>
      )}
      {(wide || open) && (
        <>
          <CaseList />
          <Recordings />
          <FacetPanel {...props} />
        </>
      )}
    </aside>
  );
}
