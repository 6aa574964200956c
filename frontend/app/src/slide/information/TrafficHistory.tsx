import { Text } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { bytesLabel } from "../../ui/format";
import { Facts } from "../../ui/Facts";
import { barsOf } from "./bars";
import styles from "./information.module.css";
import { t } from "@wavescope/core/i18n/i18n";

const EVERY = 1000; // milliseconds

/** Bytes second by second over the last two minutes, and how much had not to be fetched. */
export function TrafficHistory({ microscope }: { readonly microscope: Microscope }) {
  const { seconds, sums } = useTraffic(microscope);
  const { bars, most } = barsOf(seconds.map((second) => second.bytes));
  const cached =
    sums.entered > 0
      ? t("information.cachedOf", {
          cached: sums.cached,
          all: sums.entered,
          percent: Math.round((100 * sums.cached) / sums.entered),
        })
      : "–";
  const lately = seconds.reduce((sum, second) => sum + second.bytes, 0);
  return (
    <>
      <svg
        className={styles.history}
        viewBox={`0 0 ${bars.length} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t("information.historyLabel", {
          count: bars.length,
          bytes: bytesLabel(lately),
          most: bytesLabel(most),
        })}
        data-testid="traffic-history"
      >
        {bars.map(
          (height, i) => height > 0 && <rect key={i} x={i + 0.1} width={0.8} y={100 - height} height={height} />,
        )}
      </svg>
      <Text size="xs" c="dimmed" className={styles.axis}>
        <span>{t("information.twoMinutesAgo")}</span>
        <span>{most > 0 ? t("information.peak", { bytes: bytesLabel(most) }) : t("information.quiet")}</span>
        <span>{t("information.now")}</span>
      </Text>
      <Facts
        facts={[
          {
            name: t("information.fetched"),
            value: t("information.bytesInRequests", { bytes: bytesLabel(sums.bytes), count: sums.requests }),
          },
          { name: t("information.blocksRequested"), value: String(sums.blocks) },
          { name: t("information.cachedTiles"), value: cached },
          { name: t("information.asRawPixels"), value: bytesLabel(sums.rawBytes) },
        ]}
      />
    </>
  );
}

function useTraffic(microscope: Microscope) {
  const read = () => ({ seconds: microscope.meter.history(), sums: microscope.meter.sums() });
  const [traffic, setTraffic] = useState(read);
  useEffect(() => {
    const timer = setInterval(
      () => setTraffic({ seconds: microscope.meter.history(), sums: microscope.meter.sums() }),
      EVERY,
    );
    return () => clearInterval(timer);
  }, [microscope]);
  return traffic;
}
