import { Button, Checkbox, Text, Title } from "@mantine/core";
import { useStore } from "zustand";
import { labelOf, type Facet } from "../../wire/facetsClient";
import { useFacets } from "../cases/queries";
import { facetTitle, facetValueTitle } from "./facetNames";
import { gallery, showAll, toggleLabel } from "./gallery";
import styles from "./gallery.module.css";

/** What the slides shown can be narrowed down by, with how many each choice would show. */
export function FacetPanel({ search }: { readonly search: string }) {
  const labels = useStore(gallery, (state) => state.labels);
  const facets = useFacets(search, labels).data ?? [];
  const useful = facets.filter(({ name, values }) => values.length > 1 || values.some(({ value }) => labels.includes(labelOf(name, value))));
  if (useful.length === 0 && labels.length === 0) return null;
  return (
    <section aria-label="Filters" className={styles.facets} data-testid="facets">
      {useful.map((facet) => (
        <FacetGroup key={facet.name} facet={facet} labels={labels} />
      ))}
      {labels.length > 0 && (
        <Button variant="default" size="compact-sm" onClick={showAll}>
          Show all slides
        </Button>
      )}
    </section>
  );
}

function FacetGroup({ facet, labels }: { readonly facet: Facet; readonly labels: readonly string[] }) {
  return (
    <fieldset className={styles.facet}>
      <Title order={3} size="h6" component="legend">
        {facetTitle(facet.name)}
      </Title>
      {facet.values.map(({ value, title, count }) => {
        const label = labelOf(facet.name, value);
        return (
          <Checkbox
            key={value}
            size="xs"
            checked={labels.includes(label)}
            onChange={() => toggleLabel(label)}
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
