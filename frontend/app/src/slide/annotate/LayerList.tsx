import { ActionIcon, Group, Slider, Stack, Text } from "@mantine/core";
import { IconEye, IconEyeOff, IconLock, IconLockOpen, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useMemo, useState } from "react";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { LEAST_OPACITY, type Layer, PLAIN_STYLE } from "@wavescope/viewer/annotate/store/layers";
import styles from "./annotate.module.css";
import { useAnnotationState } from "../../microscope/useAnnotations";
import { dateLabel } from "../../ui/dates";
import { notifyWithUndo } from "../../ui/notice";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly annotations: Annotations;
}

/** On a phone the layers are folded at first: the list of annotations needs the room. */
const PHONE = "(max-width: 700px)";

/** The layers of the slide: what each author drew, and each import (annotations.md, AN52 to AN54). A single one that is plain needs no list. */
export function LayerList({ annotations }: Props) {
  const { store } = annotations;
  const version = useAnnotationState(annotations, (state) => state.version);
  const responses = useAnnotationState(annotations, (state) => state.responses);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- both stand for the objects of the store, and whose they are
  const layers = useMemo(() => store.layers(), [store, version, responses]);
  const plain = useAnnotationState(annotations, (state) => state.layers.size === 0);
  const [open] = useState(() => !matchMedia(PHONE).matches);
  if (layers.length === 0 || (layers.length === 1 && plain)) return null;
  return (
    <details className={styles.layers} open={open} data-testid="layers">
      <summary>
        {t("annotate.layers")}{" "}
        <Text span size="xs" c="dimmed">
          {layers.length}
        </Text>
      </summary>
      <Stack gap={6}>
        {layers.map((layer) => (
          <LayerRow key={layer.key} annotations={annotations} layer={layer} />
        ))}
      </Stack>
    </details>
  );
}

interface LayerRowProps extends Props {
  readonly layer: Layer;
}

function LayerRow({ annotations, layer }: LayerRowProps) {
  const { store } = annotations;
  const style = useAnnotationState(annotations, (state) => state.layers.get(layer.key) ?? PLAIN_STYLE);
  const editable = useAnnotationState(annotations, (state) => state.editable);
  const { hidden, locked, opacity } = style;
  const mayChange = editable || layer.author === null;
  const name = nameOf(layer);
  const detail = detailOf(layer);
  const remove = (): void => {
    const removed = store.removeLayer(layer.key);
    notifyWithUndo(t("annotate.layerDeleted", { name, count: removed.length }), () => store.restore(removed));
  };
  return (
    <div role="group" aria-label={name}>
      <Group gap={6} wrap="nowrap">
        <Text size="sm" truncate className={styles.grow} title={name}>
          {name}
        </Text>
        {mayChange && (
          <LayerButton label={t("annotate.deleteLayer", { name })} disabled={locked} onClick={remove}>
            <IconTrash size={15} />
          </LayerButton>
        )}
        {mayChange && (
          <LayerButton
            label={t("annotate.lockLayer", { name })}
            pressed={locked}
            onClick={() => store.setLayer(layer.key, { locked: !locked })}
          >
            {locked ? <IconLock size={15} /> : <IconLockOpen size={15} />}
          </LayerButton>
        )}
        <LayerButton
          label={t("annotate.showLayer", { name })}
          pressed={!hidden}
          onClick={() => store.setLayer(layer.key, { hidden: !hidden })}
        >
          {hidden ? <IconEyeOff size={15} /> : <IconEye size={15} />}
        </LayerButton>
      </Group>
      <Group gap={8} mt={6} wrap="nowrap">
        <Text size="xs" c="dimmed" truncate className={styles.grow} title={detail}>
          {detail}
        </Text>
        <Slider
          className={styles.opacity}
          size="sm"
          min={100 * LEAST_OPACITY}
          max={100}
          disabled={hidden}
          label={(percent) => t("annotate.opacityPercent", { percent })}
          thumbLabel={t("annotate.opacityOfLayer", { name })}
          value={Math.round(100 * opacity)}
          onChange={(percent) => store.setLayer(layer.key, { opacity: percent / 100 })}
        />
      </Group>
    </div>
  );
}

interface LayerButtonProps {
  readonly label: string;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function LayerButton({ label, pressed, disabled, onClick, children }: LayerButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={26}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  );
}

function nameOf({ author, imported }: Layer): string {
  return imported || (author === null ? t("annotate.notSavedLayer") : author || t("annotate.unknownAuthor"));
}

function detailOf({ author, imported, created, count }: Layer): string {
  const counted = t("common.annotationCount", { count });
  if (!imported) return counted;
  const [time, by] = [dateLabel(created), author ?? ""];
  return `${counted} · ${by ? t("annotate.importedBy", { time, by }) : t("annotate.importedAt", { time })}`;
}
