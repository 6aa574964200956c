import { ActionIcon, Group, Text, TextInput, Tooltip } from "@mantine/core";
import { IconArrowUpRight, IconCircle, IconPoint, IconSquare, IconX } from "@tabler/icons-react";
import { useStore } from "zustand";
import { MARK_KINDS, type Mark, type MarkKind } from "@wavescope/core/wire/catalog/toursClient";
import { editingTour, workOnStop } from "./editingTour";
import { MARK_NAMES } from "./markNames";
import { t } from "@wavescope/core/i18n/i18n";

const ACTIONS: Readonly<Record<MarkKind, string>> = {
  point: t("tours.addPoint"),
  rectangle: t("tours.addRectangle"),
  ellipse: t("tours.addEllipse"),
  arrow: t("tours.addArrow"),
};
const ICONS = { point: IconPoint, rectangle: IconSquare, ellipse: IconCircle, arrow: IconArrowUpRight };

interface Props {
  readonly stop: string;
  readonly marks: readonly Mark[];
  readonly onMarks: (marks: readonly Mark[]) => void;
}

/** Marks of a stop: choose a kind, then click where it shall be, or drag it there. */
export function MarkTools({ stop, marks, onMarks }: Props) {
  const kind = useStore(editingTour, (state) => (state.stop === stop ? state.placing : null));
  const choose = (chosen: MarkKind): void => {
    workOnStop(stop);
    editingTour.setState({ placing: kind === chosen ? null : chosen });
  };
  return (
    <div>
      <Group gap={4} mt={6}>
        <Text size="xs" c="dimmed" flex={1} role="status">
          {kind ? t("tours.placeMark") : t("tours.mark")}
        </Text>
        {MARK_KINDS.map((markKind) => {
          const Icon = ICONS[markKind];
          return (
            <Tooltip key={markKind} label={ACTIONS[markKind]}>
              <ActionIcon
                size="sm"
                variant={kind === markKind ? "filled" : "default"}
                aria-label={ACTIONS[markKind]}
                aria-pressed={kind === markKind}
                onClick={() => choose(markKind)}
              >
                <Icon size={14} />
              </ActionIcon>
            </Tooltip>
          );
        })}
      </Group>
      {marks.map((mark, i) => (
        <Group key={i} gap={4} mt={4} wrap="nowrap">
          <TextInput
            size="xs"
            flex={1}
            aria-label={t("tours.textOfMarkNumber", { kind: MARK_NAMES[mark.kind], i: i + 1 })}
            placeholder={t("tours.textOfMark", { kind: MARK_NAMES[mark.kind] })}
            value={mark.text}
            maxLength={200}
            onChange={({ currentTarget: { value } }) =>
              onMarks(marks.map((old, j) => (j === i ? { ...old, text: value } : old)))
            }
          />
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={t("tours.removeMark", { kind: MARK_NAMES[mark.kind], i: i + 1 })}
            onClick={() => onMarks(marks.filter((_, j) => j !== i))}
          >
            <IconX size={14} />
          </ActionIcon>
        </Group>
      ))}
    </div>
  );
}
