import { Text } from "@mantine/core";
import { useStore } from "zustand";
import type { Microscope } from "../../../viewer/core/microscope";
import { bytesLabel } from "../../ui/format";
import { FidelityBadge } from "../../microscope/FidelityBadge";
import { LightBadge } from "../light/LightBadge";
import { groupedNumber } from "../../../geometry/figures";
import styles from "../../microscope/slide.module.css";
import { Hint } from "../../ui/later/Hint";
import { t } from "../../../i18n/i18n";

export function StatusBar({ scope }: { readonly scope: Microscope }) {
  return (
    <footer className={styles.statusBar}>
      <FidelityBadge scope={scope} />
      <LightBadge scope={scope} />
      <Position scope={scope} />
      <TrafficMeter scope={scope} />
    </footer>
  );
}

function Position({ scope }: { readonly scope: Microscope }) {
  return (
    <Text size="xs" c="dimmed" className={styles.position} title={t("page.centreHint")}>
      <Centre scope={scope} />
    </Text>
  );
}

/** Rendered frame by frame: words alone. */
function Centre({ scope }: { readonly scope: Microscope }) {
  const { l0_x, l0_y, l0_width, l0_height } = useStore(scope.state, (state) => state.region);
  const x = Math.round(l0_x + l0_width / 2);
  const y = Math.round(l0_y + l0_height / 2);
  return `x ${groupedNumber(x)} y ${groupedNumber(y)}`;
}

/** Bytes fetched against the raw pixels of the tiles shown so far. */
function TrafficMeter({ scope }: { readonly scope: Microscope }) {
  const bytes = useStore(scope.state, (state) => state.bytes);
  const rawBytes = useStore(scope.state, (state) => state.rawBytes);
  const part = rawBytes > 0 ? (100 * bytes) / rawBytes : null;
  const label = t("common.bytesFetched", { bytes: bytesLabel(bytes) });
  const detail = t("page.trafficHint", { bytes: bytesLabel(bytes), raw: bytesLabel(rawBytes) });
  return (
    <Hint label={detail} multiline maw={300}>
      <div className={styles.meter} data-testid="traffic-meter" role="img" tabIndex={0} aria-label={detail}>
        <div className={styles.meterTrack} aria-hidden="true">
          <div className={styles.meterFill} style={{ width: `${Math.min(100, part ?? 0)}%` }} />
        </div>
        <Text size="xs" c="dimmed" component="span">
          {label}
        </Text>
      </div>
    </Hint>
  );
}
