import { Button, Checkbox, Text, Title } from "@mantine/core";
import { labelOf, type Facet } from "@wavescope/core/wire/catalog/facetsClient";
import { byUse, facetTitle, facetValueTitle, inOrder } from "./facetNames";
import { type ListFilter, toggleLabel } from "../state/listFilter";
import styles from "./gallery.module.css";
import { t } from "@wavescope/core/i18n/i18n";

export interface FacetPanelProps {
  readonly facets: readonly Facet[];
  readonly filter: ListFilter;
  /** Slides in the list; undefined until it is here. */
  readonly total: number | undefined;
  readonly onNarrow: (next: ListFilter) => void;
}

/** What the slides shown can be narrowed down by, with how many each choice would show. */
export function FacetPanel({ facets, filter, total, onNarrow }: FacetPanelProps) {
  const { labels } = filter;
  const selectable = facets.filter(
    ({ name, values }) =>
      values.length > 1 ||
      values.some(({ value, count }) => count < (total ?? 0) || labels.includes(labelOf(name, value))),
  );
  if (selectable.length === 0 && labels.length === 0) return null;
  return (
    <section aria-label={t("gallery.filters")} className={styles.facets} data-testid="facets">
      <Title order={2} size="h6">
        {t("gallery.filters")}
      </Title>
      {byUse(selectable).map((facet) => (
        <FacetGroup
          key={facet.name}
          facet={facet}
          labels={labels}
          onToggle={(label) => onNarrow(toggleLabel(filter, label))}
        />
      ))}
      {labels.length > 0 && (
        <Button variant="default" size="compact-sm" onClick={() => onNarrow({ ...filter, search: "", labels: [] })}>
          {t("gallery.showAllSlides")}
        </Button>
      )}
    </section>
  );
}

interface FacetGroupProps {
  readonly facet: Facet;
  readonly labels: readonly string[];
  readonly onToggle: (label: string) => void;
}

function FacetGroup({ facet, labels, onToggle }: FacetGroupProps) {
  return (
    <fieldset className={styles.facet}>
      <Title order={3} size="h6" component="legend">
        {facetTitle(facet.name)}
      </Title>
      {inOrder(facet.name, facet.values).map(({ value, title, count }) => {
        const label = labelOf(facet.name, value);
        return (
          <Checkbox
            key={value}
            size="xs"
            checked={labels.includes(label)}
            onChange={() => onToggle(label)}
            label={
              <span className={styles.facetValue}>
                <span className={styles.facetWord}>{facetValueTitle(facet.name, title)}</span>
                <Text span size="xs" c="dimmed">
                  {count}
                </Text>
              </span>
            }
          />
        );
      })}
    </fieldset>
  );
}
