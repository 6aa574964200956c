import { Button, Group, Modal, SegmentedControl, Stack, Switch, Text, useMantineColorScheme } from "@mantine/core";
import { useStore } from "zustand";
import { panelState, setKeysEverywhere, showKeyboardMap } from "../microscope/panelState";
import { settings } from "../microscope/settings";
import { showSettings } from "./dialog";
import { show } from "./presenting";
import { t } from "@wavescope/core/i18n/i18n";

const SCHEMES = [
  { value: "light", label: t("settings.light") },
  { value: "dark", label: t("settings.dark") },
  { value: "auto", label: t("settings.auto") },
];
const WHEELS = [
  { value: "zoom", label: t("settings.wheelZooms") },
  { value: "pan", label: t("settings.wheelPans") },
];

/** What the user chooses for every slide; stored in this browser. */
export function SettingsDialog() {
  const { wheel, tabHides } = useStore(settings);
  const everywhere = useStore(panelState, (state) => state.keysEverywhere);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const close = (): void => showSettings(false);
  const then = (run: () => void) => (): void => {
    close();
    run();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t("settings.settings")}
      centered
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="md" data-testid="settings">
        <Choice name={t("settings.theme")} data={SCHEMES} value={colorScheme} onChange={setColorScheme} />
        <Choice
          name={t("settings.wheel")}
          hint={t("settings.wheelHint")}
          data={WHEELS}
          value={wheel}
          onChange={(value) => settings.setState({ wheel: value })}
        />
        <Switch
          label={t("settings.tabHides")}
          description={t("settings.tabHidesHint")}
          checked={tabHides}
          onChange={(event) => settings.setState({ tabHides: event.currentTarget.checked })}
        />
        <Switch
          label={t("keyboard.lettersEverywhere")}
          description={t("keyboard.lettersEverywhereHint")}
          checked={everywhere}
          onChange={(event) => setKeysEverywhere(event.currentTarget.checked)}
        />
        <Group gap="xs">
          <Button variant="default" onClick={then(() => showKeyboardMap(true))}>
            {t("keyboard.shortcuts")}
          </Button>
          <Button variant="default" onClick={then(() => show("nothing"))}>
            {t("settings.hideControls")}
          </Button>
          <Button variant="default" onClick={then(() => show("presenter"))}>
            {t("settings.presenter")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface ChoiceProps<T extends string> {
  readonly name: string;
  readonly hint?: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

function Choice<T extends string>({ name, hint, data, value, onChange }: ChoiceProps<T>) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {name}
      </Text>
      {hint && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={name}
        data={[...data]}
        value={value}
        onChange={(chosen) => onChange(chosen as T)}
      />
    </Stack>
  );
}
