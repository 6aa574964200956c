import { Stack } from "@mantine/core";
import { CalibrationActions } from "../calibration/CalibrationActions";
import { allows } from "../../../wire/manifest";
import type { PartProps } from "../parts";
import { IdentitySection } from "./IdentitySection";
import { Facts, Section } from "./Section";
import { StoredBytes } from "./StoredBytes";
import { TrafficHistory } from "./TrafficHistory";
import { propertiesOf, provenanceOf, ratiosOf } from "./facts";

/** All there is to know of the slide: what it is, how it is stored and how true, where it came from, what it cost to look at. */
export function InformationPanel({ scope, manifest }: PartProps) {
  return (
    <Stack gap="lg" data-testid="information-panel">
      <Section title="Slide">
        <Facts facts={propertiesOf(manifest)} />
        <CalibrationActions manifest={manifest} />
      </Section>
      {manifest.details.bytes.length > 0 && (
        <Section title="Stored bytes and quality">
          <StoredBytes manifest={manifest} />
          <Facts facts={ratiosOf(manifest)} />
        </Section>
      )}
      <Section title="Network">
        <TrafficHistory scope={scope} />
      </Section>
      <Section title="Provenance">
        <Facts facts={provenanceOf(manifest)} />
      </Section>
      {allows(manifest, "view label") && <IdentitySection id={manifest.id} />}
    </Stack>
  );
}
