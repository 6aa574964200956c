import { Stack } from "@mantine/core";
import type { PartProps } from "../microscope/parts";
import { originOf, propertiesOf } from "../slide/information/facts";
import { ReceiptButton } from "../receipt/ReceiptButton";
import { showReceipt } from "../receipt/dialog";
import { Section } from "../slide/information/Section";
import { Facts } from "../ui/Facts";
import { t } from "@wavescope/core/i18n/i18n";

/** What the file says of the slide. */
export function LocalInformation({ manifest }: PartProps) {
  return (
    <Stack gap="lg" data-testid="information-panel">
      <Section title={t("information.slide")}>
        <Facts facts={propertiesOf(manifest)} />
      </Section>
      <Section title={t("information.origin")}>
        <Facts facts={originOf(manifest)} />
        <ReceiptButton onClick={() => showReceipt(true)} />
      </Section>
    </Stack>
  );
}
