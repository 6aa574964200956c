import { ActionIcon, Group, Text, TextInput, Tooltip } from "@mantine/core";
import { IconArrowUpRight, IconCircle, IconPoint, IconSquare, IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { handleClicks } from "../../viewer/navigation/clicks";
import type { Microscope } from "../../viewer/core/microscope";
import { underScreen } from "../../viewer/navigation/pointing";
import { MARK_KINDS, type Mark, type MarkKind } from "../../wire/catalog/toursClient";
import { markAt } from "./editing";
import { MARK_NAMES } from "./markNames";
import { t } from "../../i18n/i18n";

const ACTIONS: Readonly<Record<MarkKind, string>> = {
  point: t("tours.addPoint"),
  rectangle: t("tours.addRectangle"),
  ellipse: t("tours.addEllipse"),
  arrow: t("tours.addArrow"),
};
const ICONS = { point: IconPoint, rectangle: IconSquare, ellipse: IconCircle, arrow: IconArrowUpRight };

interface Props {
  readonly scope: Microscope;
  readonly marks: readonly Mark[];
  readonly onMarks: (marks: readonly Mark[]) => void;
}

/** Marks of a stop: choose a kind, then click where it shall be. */
export function MarkTools({ scope, marks, onMarks }: Props) {
  const [kind, setKind] = useState<MarkKind | null>(null);
  useMarkClicks(scope, kind, (mark) => {
    onMarks([...marks, mark]);
    setKind(null);
  });
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
                onClick={() => setKind(kind === markKind ? null : markKind)}
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

/** While a kind is chosen, the next click on the picture places a mark instead of zooming. */
function useMarkClicks(scope: Microscope, kind: MarkKind | null, add: (mark: Mark) => void): void {
  useEffect(() => {
    if (!kind) return;
    return handleClicks(scope, (at) => add(markAt(kind, underScreen(scope, at), scope.reading(false).region.l0_width)));
  });
}
