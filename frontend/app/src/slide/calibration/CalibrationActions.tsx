import { Button, Group, Text } from "@mantine/core";
import { IconRuler2 } from "@tabler/icons-react";
import { explain } from "@wavescope/core/wire/http/explain";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { mayCalibrate, setCalibrating } from "./calibrating";
import { useCalibrate } from "./useCalibrate";
import { t } from "@wavescope/core/i18n/i18n";

/** In the information panel: entering the scale of a slide whose file states none, and removing it again. */
export function CalibrationActions({ manifest }: { readonly manifest: Manifest }) {
  const change = useCalibrate(manifest);
  if (!mayCalibrate(manifest)) return null;
  return (
    <>
      <Group gap="xs" mt={6}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconRuler2 size={15} />}
          onClick={() => setCalibrating(true)}
        >
          {manifest.mpp ? t("calibration.calibrateAgain") : t("calibration.calibrate")}
        </Button>
        {manifest.mpp && (
          <Button size="compact-sm" variant="default" loading={change.isPending} onClick={() => change.mutate(null)}>
            {t("calibration.removeScale")}
          </Button>
        )}
      </Group>
      {change.error && (
        <Text size="xs" className="failure" mt={4} role="alert">
          {explain(change.error)}
        </Text>
      )}
    </>
  );
}
