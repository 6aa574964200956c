import { Text } from "@mantine/core";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { bytesLabel } from "../../ui/format";
import { psnrLabel } from "./facts";
import styles from "./information.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** A row per level: bytes of its layers as one bar, and the quality measured with all of them. A table, so that it can be read out. */
export function StoredBytes({ manifest }: { readonly manifest: Manifest }) {
  const { bytes, quality } = manifest.details;
  const sums = bytes.map((layers) => layers.reduce((sum, part) => sum + part, 0));
  const most = Math.max(1, ...sums);
  const layers = bytes[0]!.map((_, layer) => layer);
  return (
    <>
      <ul className={styles.legend} aria-label={t("information.layers")}>
        {layers.map((layer) => (
          <li key={layer}>
            <span className={styles.swatch} data-layer={layer % 4} aria-hidden="true" />
            {t("information.layer", { layer })}
          </li>
        ))}
      </ul>
      <table className={styles.levels} data-testid="stored-bytes">
        <thead>
          <tr>
            <th scope="col">{t("information.level")}</th>
            <th scope="col">{t("information.bytesByLayer")}</th>
            <th scope="col" className={styles.number}>
              {t("information.sum")}
            </th>
            {quality && (
              <th scope="col" className={styles.number}>
                {t("information.psnr")}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {bytes.map((parts, level) => (
            <tr key={level}>
              <th scope="row">{level}</th>
              <td
                className={styles.barCell}
                aria-label={parts
                  .map((part, layer) => t("information.bytesOfLayer", { layer, bytes: bytesLabel(part) }))
                  .join(", ")}
              >
                <div
                  className={styles.bar}
                  title={parts
                    .map((part, layer) => t("information.bytesOfLayer", { layer, bytes: bytesLabel(part) }))
                    .join(", ")}
                >
                  {parts.map((part, layer) => (
                    <span key={layer} data-layer={layer % 4} style={{ width: `${(100 * part) / most}%` }} />
                  ))}
                </div>
              </td>
              <td className={styles.number}>{bytesLabel(sums[level]!)}</td>
              {quality && (
                <td
                  className={styles.number}
                  title={quality.psnr[level]
                    ?.map((value, layer) => t("information.psnrOfLayers", { count: layer + 1, psnr: psnrLabel(value) }))
                    .join(", ")}
                >
                  {psnrLabel(quality.psnr[level]?.at(-1))}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <Text size="xs" c="dimmed" mb={6}>
        {quality ? t("information.psnrHint", { count: quality.tiles }) : t("information.psnrUnknown")}
      </Text>
    </>
  );
}
