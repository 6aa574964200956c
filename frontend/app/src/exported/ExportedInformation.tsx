import { Stack } from "@mantine/core";
import type { PartProps } from "../microscope/parts";
import { originOf, propertiesOf, qualityFactsOf, ratiosOf, technicalOf } from "../slide/information/facts";
import { Part, Section } from "../slide/information/Section";
import { TrafficHistory } from "../slide/information/TrafficHistory";
import { ReceiptButton } from "../receipt/ReceiptButton";
import { showCamera } from "../slide/exporting/exporting";
import { type Fact, Facts } from "../ui/Facts";
import { t } from "@wavescope/core/i18n/i18n";

const withoutLinks = (facts: readonly Fact[]): Fact[] => facts.map(({ name, value }) => ({ name, value }));

/** What the slide is, where it is from, how it is stored. */
export function ExportedInformation({ microscope, manifest }: PartProps) {
  return (
    <Stack gap="lg" data-testid="information-panel">
      <Section title={t("information.slide")}>
        <Facts facts={propertiesOf(manifest)} />
      </Section>
      <Section title={t("information.origin")}>
        <Facts facts={originOf(manifest)} />
      </Section>
      <Section title={t("information.technical")}>
        <Stack gap="md">
          <div>
            <Facts
              facts={[...withoutLinks(technicalOf(manifest)), ...qualityFactsOf(manifest), ...ratiosOf(manifest)]}
            />
            <ReceiptButton onClick={() => showCamera("receipt")} />
          </div>
          <Part title={t("information.network")}>
            <TrafficHistory microscope={microscope} />
          </Part>
        </Stack>
      </Section>
    </Stack>
  );
}
