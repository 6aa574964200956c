import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useMemo } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { cssOf } from "@wavescope/viewer/annotate/paint/colors";
import { authorColor } from "@wavescope/viewer/annotate/store/classColors";
import { useAnnotationState } from "../../../microscope/useAnnotations";
import styles from "../annotate.module.css";
import together from "./together.module.css";

/** Whether annotations have the colours of their classes or of their authors, and whose colour is which (AN50). */
export function AuthorColors({ annotations }: { readonly annotations: Annotations }) {
  const { store } = annotations;
  const colorBy = useAnnotationState(annotations, (state) => state.colorBy);
  const version = useAnnotationState(annotations, (state) => state.version);
  const responses = useAnnotationState(annotations, (state) => state.responses);
  const authors = useMemo(
    () => authorsOf(annotations),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- they stand for the objects of the store
    [annotations, version, responses],
  );
  if (authors.length < 2 && colorBy === "class") return null;
  return (
    <Stack gap={6} component="section" aria-label={t("together.colourBy")}>
      <Group gap={8} wrap="nowrap">
        <Text size="xs" id="colour-by">
          {t("together.colourBy")}
        </Text>
        <SegmentedControl
          size="xs"
          aria-labelledby="colour-by"
          value={colorBy}
          onChange={(value) => store.set({ colorBy: value === "author" ? "author" : "class" })}
          data={[
            { value: "class", label: t("annotate.class") },
            { value: "author", label: t("together.author") },
          ]}
        />
      </Group>
      {colorBy === "author" && (
        <ul className={together.authors} data-testid="author-colours">
          {authors.map(([name, count]) => (
            <li key={name}>
              <span className={styles.swatch} style={{ background: cssOf(authorColor(name)) }} />
              <Text size="xs" span className={styles.rowName}>
                {name}
              </Text>
              <Text size="xs" span c="dimmed">
                {count}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}

/** Authors with how many annotations they have, most first. */
function authorsOf({ store }: Annotations): [string, number][] {
  const counts = new Map<string, number>();
  for (const [id] of store.index.all()) {
    const author = store.authorOf(id);
    if (author) counts.set(author, (counts.get(author) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b));
}
