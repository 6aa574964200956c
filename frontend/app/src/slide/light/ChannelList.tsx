import { ActionIcon, Button, Divider, Group, Stack, Text, TextInput, Tooltip } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp } from "@tabler/icons-react";
import { type KeyboardEvent, useState } from "react";
import { useStore } from "zustand";
import { found } from "@wavescope/core/tiles/channels/settings";
import { t } from "@wavescope/core/i18n/i18n";
import { keyName } from "../../ui/keys/keyNames";
import type { PartProps } from "../../microscope/parts";
import { type ChannelMixing, mixingOf } from "./channelMixing";
import { ChannelRow } from "./ChannelRow";
import { MixChooser } from "./MixChooser";

/** From so many channels on, one is searched for. */
const MANY = 8;

/** The channels of a slide: which are on, in which colour and window. Nothing where the service makes the pictures. */
export function ChannelList({ microscope, manifest }: PartProps) {
  const mixing = mixingOf(microscope);
  if (!mixing) return null;
  const undoByKey = (event: KeyboardEvent): void => {
    const key = keyName(event.nativeEvent);
    if (key !== "Mod+z" && key !== "Mod+Shift+z" && key !== "Mod+y") return;
    if (event.target instanceof HTMLInputElement && event.target.type !== "checkbox") return;
    event.preventDefault(); // and not the last annotation
    if (key === "Mod+z") mixing.undo();
    else mixing.redo();
  };
  return (
    <Stack gap="xs" data-testid="channels" onKeyDown={undoByKey}>
      <Channels mixing={mixing} />
      <MixChooser mixing={mixing} manifest={manifest} />
      <Rows mixing={mixing} />
      <Divider />
    </Stack>
  );
}

interface Props {
  readonly mixing: ChannelMixing;
}

/** How many are on, and what concerns all of them. */
function Channels({ mixing }: Props) {
  useStore(mixing.light.state);
  const { done, undone } = useStore(mixing.state, ({ steps }) => steps);
  const settings = mixing.settings();
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" fw={500}>
        {t("light.channelsOn", { on: settings.filter(({ on }) => on).length, count: settings.length })}
      </Text>
      <Group gap={4}>
        <Step label={t("common.undo")} icon={IconArrowBackUp} disabled={done.length === 0} run={() => mixing.undo()} />
        <Step
          label={t("annotate.redo")}
          icon={IconArrowForwardUp}
          disabled={undone.length === 0}
          run={() => mixing.redo()}
        />
        <Button size="compact-xs" variant="default" onClick={() => void mixing.autoContrast()}>
          {t("light.autoContrastOfAll")}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => mixing.reset()}>
          {t("light.resetChannels")}
        </Button>
      </Group>
    </Group>
  );
}

interface StepProps {
  readonly label: string;
  readonly icon: typeof IconArrowBackUp;
  readonly disabled: boolean;
  readonly run: () => void;
}

function Step({ label, icon: Icon, disabled, run }: StepProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size="sm" variant="default" aria-label={label} disabled={disabled} onClick={run}>
        <Icon size={14} />
      </ActionIcon>
    </Tooltip>
  );
}

function Rows({ mixing }: Props) {
  useStore(mixing.light.state);
  useStore(mixing.state);
  const [typed, setTyped] = useState("");
  const settings = mixing.settings();
  const on = settings.filter((one) => one.on).length;
  return (
    <>
      {settings.length >= MANY && (
        <TextInput
          size="xs"
          type="search"
          placeholder={t("light.searchChannels")}
          aria-label={t("light.searchChannels")}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {found(settings, typed).map((one) => (
        <ChannelRow
          key={one.c}
          setting={one}
          source={mixing.source}
          range={mixing.range}
          only={one.on && on === 1}
          onChange={(part) => mixing.set(one.c, part)}
          onSolo={() => mixing.solo(one.c)}
        />
      ))}
    </>
  );
}
