import { Paper, Text } from "@mantine/core";
import { withUnit } from "@wavescope/core/geometry/figures";
import type { EdgeStatus } from "@wavescope/core/wire/accounts/edgeClient";
import { bytesLabel } from "../ui/format";
import { t } from "@wavescope/core/i18n/i18n";
import styles from "./edge.module.css";
import { hits, lastSeconds, served } from "./history";

const MINUTE = 60;

/** The last minute in figures. */
export function Summary({ status }: { readonly status: EdgeStatus }) {
  const minute = lastSeconds(status.samples, MINUTE);
  const last = status.samples.at(-1);
  const rate = (bytes: number): string => t("edge.rate", { bytes: bytesLabel(bytes) });
  let ratio = "–";
  let out = "–";
  let fetched = "–";
  if (minute) {
    const [from, to] = minute;
    const hit = hits(to) - hits(from);
    const all = hit + to.misses - from.misses;
    const seconds = to.at - from.at;
    if (all > 0) ratio = withUnit(Math.round((100 * hit) / all), "%");
    out = rate((served(to) - served(from)) / seconds);
    fetched = rate((to.missed_bytes - from.missed_bytes) / seconds);
  }
  return (
    <section className={styles.tiles} data-testid="edge-summary">
      <Tile label={t("edge.hitRatio")} value={ratio} note={t("edge.lastMinute")} />
      <Tile label={t("edge.served")} value={out} note={t("edge.lastMinute")} />
      <Tile label={t("edge.fetched")} value={fetched} note={t("edge.lastMinute")} />
      <Tile label={t("edge.pushes")} value={String(last?.pushes ?? "–")} />
      <Tile label={t("edge.waiting")} value={String(last?.waiting ?? "–")} />
    </section>
  );
}

function Tile({ label, value, note }: { readonly label: string; readonly value: string; readonly note?: string }) {
  return (
    <Paper withBorder p="sm">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text size="xl" fw={600}>
        {value}
      </Text>
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Paper>
  );
}
