import { Stack } from "@mantine/core";
import { CalibrationActions } from "../calibration/CalibrationActions";
import { allows } from "../../../wire/slides/manifest";
import type { PartProps } from "../../microscope/parts";
import { IdentitySection } from "./IdentitySection";
import { Facts, Part, Section } from "./Section";
import { StoredBytes } from "./StoredBytes";
import { TrafficHistory } from "./TrafficHistory";
import { originOf, propertiesOf, ratiosOf, technicalOf } from "./facts";
import { t } from "../../../i18n/i18n";

/** All there is to know of the slide: what it is, how it is stored and how true, where it came from, what it cost to look at. */
export function InformationPanel({ scope, manifest }: PartProps) {
  return (
    <Stack gap="lg" data-testid="information-panel">
      <Section title={t("information.slide")}>
        <Facts facts={propertiesOf(manifest)} />
        <CalibrationActions manifest={manifest} />
      </Section>
      <Section title={t("information.origin")}>
        <Facts facts={originOf(manifest)} />
      </Section>
      {allows(manifest, "view label") && <IdentitySection id={manifest.id} />}
      <Section title={t("information.technical")}>
        <Stack gap="md">
          <Facts facts={technicalOf(manifest)} />
          {manifest.details.bytes.length > 0 && (
            <Part title={t("information.storageAndImageQuality")}>
              <StoredBytes manifest={manifest} />
              <Facts facts={ratiosOf(manifest)} />
            </Part>
          )}
          <Part title={t("information.network")}>
            <TrafficHistory scope={scope} />
          </Part>
        </Stack>
      </Section>
    </Stack>
  );
}
