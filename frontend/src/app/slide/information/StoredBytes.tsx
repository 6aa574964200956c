import { Text } from "@mantine/core";
import type { Manifest } from "../../../wire/slides/manifest";
import { bytesLabel } from "../../ui/format";
import { psnrLabel } from "./facts";
import styles from "./information.module.css";

/** A row per level: bytes of its layers as one bar, and the quality measured with all of them. A table, so that it can be read out. */
export function StoredBytes({ manifest }: { readonly manifest: Manifest }) {
  const { bytes, quality } = manifest.details;
  const sums = bytes.map((layers) => layers.reduce((sum, part) => sum + part, 0));
  const most = Math.max(1, ...sums);
  const layers = bytes[0].map((_, layer) => layer);
  return (
    <>
      <ul className={styles.legend} aria-label="Layers">
        {layers.map((layer) => (
          <li key={layer}>
            <span className={styles.swatch} data-layer={layer % 4} aria-hidden="true" />
            Layer {layer}
          </li>
        ))}
      </ul>
      <table className={styles.levels} data-testid="stored-bytes">
        <thead>
          <tr>
            <th scope="col">Level</th>
            <th scope="col">Bytes by layer</th>
            <th scope="col" className={styles.number}>
              Sum
            </th>
            {quality && (
              <th scope="col" className={styles.number}>
                PSNR
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
                aria-label={parts.map((part, layer) => `layer ${layer}: ${bytesLabel(part)}`).join(", ")}
              >
                <div
                  className={styles.bar}
                  title={parts.map((part, layer) => `layer ${layer}: ${bytesLabel(part)}`).join(", ")}
                >
                  {parts.map((part, layer) => (
                    <span key={layer} data-layer={layer % 4} style={{ width: `${(100 * part) / most}%` }} />
                  ))}
                </div>
              </td>
              <td className={styles.number}>{bytesLabel(sums[level])}</td>
              {quality && (
                <td
                  className={styles.number}
                  title={quality.psnr[level]
                    ?.map((value, layer) => `${layer + 1} layers: ${psnrLabel(value)}`)
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
        {quality
          ? `PSNR in dB against the source with all layers, measured at ingest on ${quality.tiles} ${quality.tiles === 1 ? "tile" : "tiles"}. The last level is the approximation.`
          : "Quality was not measured when this slide was imported. The last level is the approximation."}
      </Text>
    </>
  );
}
