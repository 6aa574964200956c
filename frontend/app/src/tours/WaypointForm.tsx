import { ActionIcon, Button, Group, Paper, Text, TextInput, Textarea, Tooltip } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconCameraRotate, IconEye, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { readFreeView, showFreeView } from "@wavescope/viewer/view/freeView";
import type { Waypoint } from "@wavescope/core/wire/catalog/toursClient";
import { MarkTools } from "./MarkTools";
import { PointedOut } from "./PointedOut";
import { viewOf } from "./view";
import { withMoved, withRestored, withWaypoint, withoutWaypoint } from "./editing";
import { type ChangeTour, workOnStop } from "./editingTour";
import { notifyWithUndo } from "../ui/notice";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly microscope: Microscope;
  readonly waypoint: Waypoint;
  readonly index: number;
  readonly last: number;
  /** Whether it lies in the slide that is open. */
  readonly here: boolean;
  readonly change: ChangeTour;
  readonly onGo: () => void;
}

/** One stop of a tour: its text, its view, its position. */
export function WaypointForm({ microscope, waypoint, index, last, here, change, onGo }: Props) {
  const { id, title } = waypoint;
  const name = title || t("tours.stopInSentence", { place: index + 1 });
  const set = (part: Partial<Waypoint>): void => change((tour) => withWaypoint(tour, id, part));
  const go = (): void => {
    const view = here ? viewOf(waypoint.view) : null;
    workOnStop(id);
    if (view) showFreeView(microscope, view); // also back from where the picture was moved since
    onGo();
  };
  const remove = (): void => {
    change((tour) => withoutWaypoint(tour, id));
    notifyWithUndo(t("tours.stopRemoved", { name }), () => change((tour) => withRestored(tour, waypoint, index)));
  };
  return (
    <Paper
      onFocus={() => workOnStop(id)}
      withBorder
      p="xs"
      component="section"
      aria-label={t("tours.stop", { place: index + 1 })}
      data-testid="waypoint"
    >
      <Group gap={4} wrap="nowrap" mb={6}>
        <Text size="xs" c="dimmed" flex={1}>
          {t("tours.stop", { place: index + 1 })}
        </Text>
        <Tool label={t("tours.goToStop", { name })} onClick={go} icon={<IconEye size={14} />} />
        <Tool
          label={t("tours.useView", { name })}
          disabled={!here}
          onClick={() => set({ view: { ...readFreeView(microscope) } })}
          icon={<IconCameraRotate size={14} />}
        />
        <Tool
          label={t("tours.moveUp", { name })}
          disabled={index === 0}
          onClick={() => change((tour) => withMoved(tour, id, -1))}
          icon={<IconArrowUp size={14} />}
        />
        <Tool
          label={t("tours.moveDown", { name })}
          disabled={index === last}
          onClick={() => change((tour) => withMoved(tour, id, 1))}
          icon={<IconArrowDown size={14} />}
        />
        <Tool label={t("tours.removeStop", { name })} onClick={remove} icon={<IconX size={14} />} />
      </Group>
      <TextInput
        aria-label={t("tours.titleStopPlace", { place: index + 1 })}
        value={title}
        maxLength={200}
        onChange={({ currentTarget: { value } }) => set({ title: value })}
      />
      <Textarea
        aria-label={t("tours.textStopPlace", { place: index + 1 })}
        placeholder={t("tours.textPlaceholder")}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={20_000}
        mt={6}
        value={waypoint.text}
        onChange={({ currentTarget: { value } }) => set({ text: value })}
      />
      {here ? (
        <>
          <MarkTools stop={id} marks={waypoint.marks} onMarks={(marks) => set({ marks })} />
          <PointedOut
            microscope={microscope}
            index={index}
            ids={waypoint.annotations}
            onIds={(annotations) => set({ annotations })}
          />
        </>
      ) : (
        <Button size="compact-xs" variant="subtle" mt={6} onClick={onGo}>
          {t("tours.onAnotherSlide")}
        </Button>
      )}
    </Paper>
  );
}

interface ToolProps {
  readonly label: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly icon: ReactNode;
}

function Tool({ label, disabled, onClick, icon }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} disabled={disabled} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
