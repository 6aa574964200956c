import { Stack } from "@mantine/core";
import { ReceiptButton } from "../../receipt/ReceiptButton";
import { AddressList } from "../../sharing/AddressList";
import { CalibrationActions } from "../calibration/CalibrationActions";
import { ReduceSize } from "../reencoding/ReduceSize";
import { allows } from "@wavescope/core/wire/slides/manifest";
import type { PartProps } from "../../microscope/parts";
import { showCamera } from "../exporting/exporting";
import { IdentitySection } from "./IdentitySection";
import { OriginalFile } from "./OriginalFile";
import { Facts } from "../../ui/Facts";
import { Part, Section } from "./Section";
import { StoredBytes } from "./StoredBytes";
import { StoredHere } from "./StoredHere";
import { TrafficHistory } from "./TrafficHistory";
import { originOf, propertiesOf, qualityFactsOf, ratiosOf, technicalOf } from "./facts";
import { t } from "@wavescope/core/i18n/i18n";

/** What the slide is, where it is from, how and in which quality it is stored, and the traffic of viewing it. */
export function InformationPanel({ microscope, manifest }: PartProps) {
  return (
    <Stack gap="lg" data-testid="information-panel">
      <Section title={t("information.slide")}>
        <Facts facts={propertiesOf(manifest)} />
        <CalibrationActions manifest={manifest} />
        <ReduceSize manifest={manifest} />
      </Section>
      <Section title={t("information.origin")}>
        <Facts facts={originOf(manifest)} />
        <OriginalFile manifest={manifest} />
      </Section>
      {allows(manifest, "view label") && <IdentitySection id={manifest.id} />}
      <Section title={t("information.technical")}>
        <Stack gap="md">
          <div>
            <Facts facts={technicalOf(manifest)} />
            {!manifest.preview && <ReceiptButton onClick={() => showCamera("receipt")} />}
          </div>
          {manifest.details.bytes.length > 0 && (
            <Part title={t("information.storageAndImageQuality")}>
              <Facts facts={qualityFactsOf(manifest)} />
              <StoredBytes manifest={manifest} />
              <Facts facts={ratiosOf(manifest)} />
            </Part>
          )}
          <Part title={t("sharing.otherSoftware")}>
            <AddressList kind="slide" id={manifest.id} />
          </Part>
          <Part title={t("information.network")}>
            <TrafficHistory microscope={microscope} />
          </Part>
          <Part title={t("information.storedHere")}>
            <StoredHere />
          </Part>
        </Stack>
      </Section>
    </Stack>
  );
}
