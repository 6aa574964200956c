import { ActionIcon, Button, Group, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { KIND_NAMES } from "@wavescope/viewer/annotate/draw/labels";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { useAnnotations, useAnnotationState } from "../microscope/useAnnotations";
import { t } from "@wavescope/core/i18n/i18n";

/** As many as a waypoint may carry (TO6). */
const MAX_ANNOTATIONS = 1000;
/** More are counted, not named. */
const NAMED = 12;

interface Props {
  readonly microscope: Microscope;
  /** Of the stop, from 0. */
  readonly index: number;
  readonly ids: readonly string[];
  readonly onIds: (ids: readonly string[]) => void;
}

/** The slide's annotations that a stop points out: those selected, or all in view. */
export function PointedOut({ microscope, index, ids, onIds }: Props) {
  const annotations = useAnnotations(microscope);
  const selected = useAnnotationState(annotations, (state) => state.selected);
  useAnnotationState(annotations, (state) => state.version); // their names, and which are still there
  const add = (more: readonly string[]): void => onIds([...new Set([...ids, ...more])].slice(0, MAX_ANNOTATIONS));
  const inView = (): string[] => {
    const { l0_x, l0_y, l0_width, l0_height } = microscope.reading(false).region;
    const box = { minX: l0_x, minY: l0_y, maxX: l0_x + l0_width, maxY: l0_y + l0_height };
    return [...annotations.store.index.within(box)]
      .filter(({ id, content }) => annotations.layer.isSeen(content, id))
      .map(({ id }) => id);
  };
  const fresh = selected.filter((id) => !ids.includes(id));
  return (
    <div role="group" aria-label={t("tours.annotationsStopPlace", { place: index + 1 })}>
      <Text size="xs" c="dimmed" mt={6}>
        {ids.length === 0 ? t("common.annotations") : t("common.annotationCount", { count: ids.length })}
      </Text>
      <Group gap={4} mt={4}>
        <Button size="compact-xs" variant="default" disabled={fresh.length === 0} onClick={() => add(fresh)}>
          {t("tours.addSelected")}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => add(inView())}>
          {t("tours.addInView")}
        </Button>
      </Group>
      {ids.slice(0, NAMED).map((id) => (
        <Group key={id} gap={4} mt={4} wrap="nowrap" data-testid="pointed-out">
          <Text size="xs" flex={1} truncate>
            {nameOf(annotations, id)}
          </Text>
          <ActionIcon
            size="md"
            variant="subtle"
            color="gray"
            aria-label={t("tours.removeAnnotation", { annotations: nameOf(annotations, id) })}
            onClick={() => onIds(ids.filter((other) => other !== id))}
          >
            <IconX size={14} />
          </ActionIcon>
        </Group>
      ))}
      {ids.length > NAMED && (
        <Group gap={4} mt={4}>
          <Text size="xs" c="dimmed" flex={1}>
            {t("tours.andLengthMore", { count: ids.length - NAMED })}
          </Text>
          <Button size="compact-xs" variant="subtle" onClick={() => onIds([])}>
            {t("tours.none")}
          </Button>
        </Group>
      )}
    </div>
  );
}

function nameOf({ store }: Annotations, id: string): string {
  const content = store.get(id);
  if (!content) return t("tours.goneAnnotation");
  return content.name || content.text.split("\n", 1)[0] || content.class || KIND_NAMES[content.shape.kind];
}
