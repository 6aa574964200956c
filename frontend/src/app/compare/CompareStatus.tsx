import { Text } from "@mantine/core";
import { useStore } from "zustand";
import type { Comparison } from "../../viewer/compare/comparison";
import { linkLabel } from "../../viewer/compare/labels";
import slideStyles from "../microscope/slide.module.css";
import { bytesLabel } from "../ui/format";
import { t } from "../../i18n/i18n";

/** One line for both: how they are linked, and what was fetched. */
export function CompareStatus({ comparison }: { readonly comparison: Comparison }) {
  const link = useStore(comparison.state, (state) => state.link);
  const { left, right } = comparison.scopes;
  const bytes = useStore(left.state, (state) => state.bytes) + useStore(right.state, (state) => state.bytes);
  return (
    <footer className={slideStyles.statusBar}>
      <Text size="xs" role="status" data-testid="link-status" truncate>
        {link ? linkLabel(link, left.manifest, right.manifest) : t("compare.notLinked")}
      </Text>
      <Text size="xs" c="dimmed" ml="auto" style={{ whiteSpace: "nowrap" }} data-testid="comparison-traffic">
        {t("common.bytesFetched", { bytes: bytesLabel(bytes) })}
      </Text>
    </footer>
  );
}
