import { Alert, Button, Checkbox, Divider, Group, Modal, SegmentedControl, Select, Stack, Text } from "@mantine/core";
import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { IconCamera } from "@tabler/icons-react";
import { useState } from "react";
import { useStore } from "zustand";
import type { Region } from "@wavescope/core/geometry/field";
import { levelForScale } from "@wavescope/core/geometry/field";
import { explain } from "@wavescope/core/wire/http/explain";
import {
  type ArchiveRequest,
  type ExportFormat,
  type ExportRequest,
  estimateExport,
  startArchive,
  startExport,
} from "@wavescope/core/wire/catalog/exportsClient";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { bytesLabel, durationLabel, sizeLabel } from "../../ui/format";
import type { PartProps } from "../../microscope/parts";
import { copyLink, copyPicture, savePicture } from "../picture/commands";
import { DrawnOnIt, withDrawn } from "./DrawnOnIt";
import { ExportProgress } from "./ExportProgress";
import { exporting, followExport } from "./exporting";
import { RegionFields } from "./RegionFields";
import { regionInView, wholeSlide } from "./inView";
import { FORMATS, PICTURE_PIXELS, levelsOf, requestFor } from "./region";
import { t } from "@wavescope/core/i18n/i18n";

const REGION_CHOICES = [
  { value: "view", label: t("exporting.currentView") },
  { value: "whole", label: t("exporting.wholeSlide") },
  { value: "typed", label: t("exporting.coordinates") },
  { value: "archive", label: t("exporting.archive") },
];

/** A region of the slide as a file: which, how fine, as what; then its progress. */
export function ExportDialog({ microscope, manifest, onClose }: PartProps & { readonly onClose: () => void }) {
  const [regionChoice, setRegionChoice] = useState("view");
  const [region, setRegion] = useState<Region>(() => regionInView(microscope));
  const [level, setLevel] = useState(() => levelForScale(microscope.pyramid, microscope.reading(false).scale));
  const [format, setFormat] = useState<ExportFormat>("png");
  const [drawn, setDrawn] = useState<readonly string[]>([]);
  const [annotations, setAnnotations] = useState(false);
  const start = useMutation({
    mutationFn: ({ slide, request }: { slide: Manifest; request: ExportRequest | ArchiveRequest }) =>
      "format" in request ? startExport(slide, request) : startArchive(slide, request),
    onSuccess: ({ id }, { slide, request }) => followExport({ id, manifest: slide, request }),
  });
  const started = useStore(exporting, (state) => state.started);
  const ofView = (run: (shown: typeof microscope) => Promise<void>) => (): void => {
    onClose();
    void run(microscope);
  };
  const choose = (value: string): void => {
    setRegionChoice(value);
    if (value !== "typed" && value !== "archive")
      setRegion(value === "whole" ? wholeSlide(microscope) : regionInView(microscope));
  };
  const narrow = useMediaQuery("(max-width: 500px)");
  const archive = regionChoice === "archive";
  const wanted = requestFor(microscope.pyramid, region, level, microscope.plane, format);
  const { variant } = microscope.source;
  const shown = wanted && variant ? { ...wanted, channels: variant } : wanted;
  const request = shown && withDrawn(shown, drawn);
  const toStart = archive ? { annotations } : request && !tooLarge(request) ? request : null;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("exporting.exportRegion")}
      centered
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {started !== null ? (
        <ExportProgress
          key={started.id}
          id={started.id}
          onClose={onClose}
          onOther={() => followExport(null)}
          onAgain={() => start.mutate({ slide: started.manifest, request: started.request })}
          failure={start.error}
        />
      ) : (
        <Stack gap="sm" data-testid="export-form">
          <SegmentedControl
            size="xs"
            fullWidth
            orientation={narrow ? "vertical" : "horizontal"}
            aria-label={t("exporting.region")}
            data={REGION_CHOICES}
            value={regionChoice}
            onChange={choose}
          />
          {regionChoice === "typed" && <RegionFields region={region} onRegion={setRegion} />}
          {!archive && (
            <>
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
              <DrawnOnIt format={format} value={drawn} onChange={setDrawn} />
            </>
          )}
          {archive ? (
            <>
              <Text size="sm">{t("exporting.archiveHint")}</Text>
              <Checkbox
                label={t("common.annotations")}
                description={t("exporting.withoutAuthors")}
                checked={annotations}
                onChange={(event) => setAnnotations(event.currentTarget.checked)}
              />
            </>
          ) : request ? (
            <Expected request={request} manifest={manifest} />
          ) : (
            <Alert color="yellow">{t("exporting.outside")}</Alert>
          )}
          {start.error && <Alert color="red">{explain(start.error)}</Alert>}
          <Group justify="flex-end" wrap="nowrap">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button
              disabled={!toStart}
              loading={start.isPending}
              onClick={() => toStart && start.mutate({ slide: manifest, request: toStart })}
            >
              {t("exporting.export")}
            </Button>
          </Group>
          <Divider label={t("exporting.asShown")} labelPosition="left" />
          <Group gap="xs">
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconCamera size={16} />}
              onClick={ofView(savePicture)}
            >
              {t("exporting.saveView")}
            </Button>
            <Button size="compact-sm" variant="default" onClick={ofView(copyPicture)}>
              {t("picture.copy")}
            </Button>
            <Button size="compact-sm" variant="default" onClick={ofView(copyLink)}>
              {t("picture.copyLink")}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
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
  readonly manifest: PartProps["manifest"];
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
