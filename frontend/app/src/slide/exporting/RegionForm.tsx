import { Alert, SegmentedControl, Select, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Region } from "@wavescope/core/geometry/field";
import { levelForScale } from "@wavescope/core/geometry/field";
import { explain } from "@wavescope/core/wire/http/explain";
import { type ExportFormat, type ExportRequest, estimateExport } from "@wavescope/core/wire/catalog/exportsClient";
import type { PicturePart } from "@wavescope/viewer/view/pictureParts";
import { bytesLabel, durationLabel, sizeLabel } from "../../ui/format";
import { FormActions, type FormProps } from "./FormActions";
import { PictureParts, withParts } from "./PictureParts";
import { RegionFields } from "./RegionFields";
import { regionInView, wholeSlide } from "./inView";
import { FORMATS, PICTURE_PIXELS, levelsOf, requestFor } from "./region";
import { t } from "@wavescope/core/i18n/i18n";

const REGIONS = [
  { value: "view", label: t("exporting.currentView") },
  { value: "whole", label: t("exporting.wholeSlide") },
  { value: "typed", label: t("exporting.coordinates") },
];

/** A region of the slide as a file: which, how fine, as what. */
export function RegionForm(props: FormProps) {
  const { microscope, manifest } = props;
  const [regionChoice, setRegionChoice] = useState("view");
  const [region, setRegion] = useState<Region>(() => regionInView(microscope));
  const [level, setLevel] = useState(() => levelForScale(microscope.pyramid, microscope.reading(false).scale));
  const [format, setFormat] = useState<ExportFormat>("png");
  const [parts, setParts] = useState<readonly PicturePart[]>([]);
  const choose = (value: string): void => {
    setRegionChoice(value);
    if (value !== "typed") setRegion(value === "whole" ? wholeSlide(microscope) : regionInView(microscope));
  };
  const wanted = requestFor(microscope.pyramid, region, level, microscope.plane, format);
  const { variant } = microscope.source;
  const request =
    wanted && withParts(variant && manifest.groups ? { ...wanted, channels: variant } : wanted, parts, manifest);
  return (
    <Stack gap="sm" data-testid="export-form">
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t("exporting.region")}
        data={REGIONS}
        value={regionChoice}
        onChange={choose}
      />
      {regionChoice === "typed" && <RegionFields region={region} onRegion={setRegion} />}
      <Select
        label={t("exporting.resolution")}
        data={levelsOf(microscope.pyramid)}
        value={String(level)}
        onChange={(value) => setLevel(Number(value))}
        allowDeselect={false}
      />
      <Select
        label={t("exporting.format")}
        data={[...FORMATS]}
        value={format}
        onChange={(value) => setFormat(value as ExportFormat)}
        allowDeselect={false}
      />
      <PictureParts region={format} value={parts} onChange={setParts} />
      {request ? (
        <Expected request={request} manifest={manifest} />
      ) : (
        <Alert color="yellow">{t("exporting.outside")}</Alert>
      )}
      <FormActions {...props} request={request && !tooLarge(request) ? request : null} />
    </Stack>
  );
}

function tooLarge({ format, width, height }: ExportRequest): boolean {
  return !format.startsWith("tiff") && width * height > PICTURE_PIXELS;
}

/** What the file would be. */
function Expected({
  request,
  manifest,
}: {
  readonly request: ExportRequest;
  readonly manifest: FormProps["manifest"];
}) {
  const [debouncedRequest] = useDebouncedValue(request, 300);
  const large = tooLarge(request);
  const query = useQuery({
    queryKey: ["export-estimate", manifest.digest, debouncedRequest],
    queryFn: ({ signal }) => estimateExport(manifest, debouncedRequest, signal),
    enabled: !tooLarge(debouncedRequest),
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (large) return <Alert color="yellow">{t("exporting.tooLarge")}</Alert>;
  const { data, error } = query;
  const about = data
    ? data.pictures > 1
      ? t("exporting.expectedWithReductions", {
          bytes: bytesLabel(data.bytes),
          seconds: durationLabel(data.seconds),
          count: data.pictures - 1,
        })
      : t("exporting.expected", { bytes: bytesLabel(data.bytes), seconds: durationLabel(data.seconds) })
    : t("exporting.estimating");
  return (
    <Stack gap={2} role="status" data-testid="export-expected">
      <Text size="sm" fw={600}>
        {sizeLabel(request.width, request.height)}
      </Text>
      <Text size="sm" c="dimmed">
        {error ? explain(error) : about}
      </Text>
      {data && data.bytes > data.freeBytes && (
        <Text size="sm">{t("exporting.notEnoughSpace", { freeBytes: bytesLabel(data.freeBytes) })}</Text>
      )}
    </Stack>
  );
}
