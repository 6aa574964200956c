import { Button, Group, NativeSelect, Progress, Stack, Text, TextInput } from "@mantine/core";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import { addOverlay } from "@wavescope/core/wire/catalog/overlayUpload";
import { isAbort } from "@wavescope/core/wire/http/errors";
import { explain } from "@wavescope/core/wire/http/explain";
import { allows } from "@wavescope/core/wire/slides/manifest";
import type { PartProps } from "../../microscope/parts";
import { notify, notifyFailure } from "../../ui/notice";
import { measurementsOf } from "./measurements";
import { openOverlays } from "./useOverlays";
import { Dialog } from "../../ui/Dialog";

interface Dropped {
  readonly file: File;
  readonly measurements: readonly string[];
}

const EXTENSION = /\.((geo)?\.?json|(ome\.)?tiff?|png|((ome\.)?zarr\.)?zip)$/i;
const PICTURE = /\.(tiff?|png|dcm)$/i;
const FOLDER = /\.zip$/i;
const CONTENTS = [
  { value: "", label: t("overlays.contentFound") },
  { value: "values", label: t("overlays.contentValues") },
  { value: "labels", label: t("overlays.contentLabels") },
  { value: "shapes", label: t("overlays.contentShapes") },
];

/** A file that is dropped on the slide becomes an overlay of it (OV54). */
export function DropShapes({ microscope, manifest }: PartProps) {
  const [dropped, setDropped] = useState<Dropped | null>(null);
  const may = allows(manifest, "edit overlays");
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault(); // else the browser opens the file in place of the page
      if (!may) event.dataTransfer.dropEffect = "none";
    };
    const drop = (event: DragEvent): void => {
      const [file] = event.dataTransfer?.files ?? [];
      if (!file) return;
      event.preventDefault();
      if (may) void measurementsOf(file).then((measurements) => setDropped({ file, measurements }));
    };
    addEventListener("dragover", over, { signal });
    addEventListener("drop", drop, { signal });
    return () => control.abort();
  }, [may]);
  if (!dropped) return null;
  return <NewOverlay {...dropped} microscope={microscope} manifest={manifest} onClose={() => setDropped(null)} />;
}

interface NewProps extends PartProps, Dropped {
  readonly onClose: () => void;
}

/** Asks for the name and the score, sends the file and follows the import. */
function NewOverlay({ file, measurements, microscope, manifest, onClose }: NewProps) {
  const [name, setName] = useState(file.name.replace(EXTENSION, ""));
  const [score, setScore] = useState(measurements.find((one) => /prob|score|conf/i.test(one)) ?? "");
  const [content, setContent] = useState("");
  const [element, setElement] = useState("");
  const [part, setPart] = useState<number | null>(null);
  const isFolder = FOLDER.test(file.name);
  const isPicture = PICTURE.test(file.name);
  const control = useRef(new AbortController());
  const close = (): void => {
    control.current.abort();
    onClose();
  };
  const add = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setPart(0);
    try {
      const job = await addOverlay(
        { slide: manifest.id, file, name: name.trim(), score, content, element: element.trim() },
        (sent, total) => setPart(total > 0 ? sent / total / 2 : 0),
        ({ done, total }) => setPart(0.5 + (total > 0 ? done / total / 2 : 0)),
        control.current.signal,
      );
      if (job.state !== "done") throw new Error(job.error?.detail ?? job.state);
      const { overlays } = openOverlays(microscope);
      await overlays.load();
      overlays.change(job.id, { visible: true });
      notify([t("overlays.imported", { name: name.trim() || file.name }), ...job.notices].join(" "));
    } catch (error) {
      if (!isAbort(error)) notifyFailure(t("overlays.notImported"), explain(error));
    }
    onClose();
  };
  return (
    <Dialog opened onClose={close} title={t("overlays.add")}>
      <form onSubmit={(event) => void add(event)}>
        <Stack gap="sm">
          <TextInput
            label={t("overlays.name")}
            maxLength={200}
            value={name}
            disabled={part !== null}
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {isFolder && (
            <TextInput
              label={t("overlays.element")}
              description={t("overlays.elementHint")}
              maxLength={300}
              value={element}
              disabled={part !== null}
              onChange={(event) => setElement(event.currentTarget.value)}
            />
          )}
          {(isPicture || isFolder) && (
            <NativeSelect
              label={t("overlays.content")}
              description={t("overlays.contentHint")}
              value={content}
              disabled={part !== null}
              onChange={(event) => setContent(event.currentTarget.value)}
              data={CONTENTS}
            />
          )}
          {isFolder && (
            <TextInput
              label={t("overlays.byScore")}
              description={t("overlays.scoreHint")}
              maxLength={200}
              value={score}
              disabled={part !== null}
              onChange={(event) => setScore(event.currentTarget.value)}
            />
          )}
          {!isPicture && !isFolder && (
            <NativeSelect
              label={t("overlays.byScore")}
              value={score}
              disabled={part !== null}
              onChange={(event) => setScore(event.currentTarget.value)}
              data={[{ value: "", label: t("overlays.noScore") }, ...measurements]}
            />
          )}
          {part !== null && (
            <div aria-live="polite">
              <Text size="sm">{t("overlays.importing", { name: name.trim() || file.name })}</Text>
              <Progress value={100 * part} aria-label={t("overlays.importing", { name: name.trim() || file.name })} />
            </div>
          )}
          <Group justify="flex-end">
            <Button type="submit" disabled={part !== null}>
              {t("common.add")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
