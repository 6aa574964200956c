import { Button, Group, SegmentedControl, Stack, Switch, Tabs, Text, useMantineColorScheme } from "@mantine/core";
import { useStore } from "zustand";
import { KeySettings } from "../keyboard/KeySettings";
import { appearance } from "../ui/appearance";
import { listed } from "../ui/keys/keyMap";
import { panelState, setKeysEverywhere, showKeyboardMap } from "../microscope/panelState";
import { settings } from "../microscope/settings";
import { showSettings } from "./dialog";
import { chooseLanguage } from "./language";
import { show } from "./presenting";
import { t } from "@wavescope/core/i18n/i18n";
import { storedLanguage } from "@wavescope/core/i18n/locale";
import { Dialog } from "../ui/Dialog";

const SCHEMES = [
  { value: "light", label: t("settings.light") },
  { value: "dark", label: t("settings.dark") },
  { value: "auto", label: t("settings.auto") },
];
const LANGUAGES = [
  { value: "", label: t("settings.languageAuto") },
  { value: "en", label: t("settings.english") },
  { value: "de", label: t("settings.german") },
];
const WHEELS = [
  { value: "zoom", label: t("settings.wheelZooms") },
  { value: "pan", label: t("settings.wheelPans") },
];
const SPOKEN = [
  { value: "keys", label: t("settings.spokenKeys") },
  { value: "always", label: t("settings.spokenAlways") },
  { value: "never", label: t("settings.spokenNever") },
];
const DENSITIES = [
  { value: "comfortable", label: t("settings.comfortable") },
  { value: "compact", label: t("settings.compact") },
];
const TOUCHES = [
  { value: "auto", label: t("settings.touchAuto") },
  { value: "on", label: t("settings.touchOn") },
  { value: "off", label: t("settings.touchOff") },
];

/** What the user chooses for every page; stored in this browser. */
export function SettingsDialog() {
  const { commands } = useStore(listed);
  return (
    <Dialog opened onClose={() => showSettings(false)} title={t("settings.settings")} size="lg">
      {commands.length === 0 ? (
        <General />
      ) : (
        <Tabs defaultValue="general" keepMounted={false}>
          <Tabs.List grow mb="md">
            <Tabs.Tab value="general">{t("settings.general")}</Tabs.Tab>
            <Tabs.Tab value="keys">{t("settings.keys")}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="general">
            <General />
          </Tabs.Panel>
          <Tabs.Panel value="keys">
            <KeySettings />
          </Tabs.Panel>
        </Tabs>
      )}
    </Dialog>
  );
}

function General() {
  const { wheel, tabHides, spoken } = useStore(settings);
  const { density, touch } = useStore(appearance);
  const everywhere = useStore(panelState, (state) => state.keysEverywhere);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Stack gap="md" data-testid="settings">
      <Choice name={t("settings.theme")} data={SCHEMES} value={colorScheme} onChange={setColorScheme} />
      <Choice name={t("settings.language")} data={LANGUAGES} value={storedLanguage()} onChange={chooseLanguage} />
      <Choice
        name={t("settings.density")}
        data={DENSITIES}
        value={density}
        onChange={(value) => appearance.setState({ density: value })}
      />
      <Choice
        name={t("settings.touch")}
        hint={t("settings.touchHint")}
        data={TOUCHES}
        value={touch}
        onChange={(value) => appearance.setState({ touch: value })}
      />
      <Choice
        name={t("settings.wheel")}
        hint={t("settings.wheelHint")}
        data={WHEELS}
        value={wheel}
        onChange={(value) => settings.setState({ wheel: value })}
      />
      <Choice
        name={t("settings.spoken")}
        hint={t("settings.spokenHint")}
        data={SPOKEN}
        value={spoken}
        onChange={(value) => settings.setState({ spoken: value })}
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
        <Action command="page.keyboard-map" title={t("keyboard.shortcuts")} run={() => showKeyboardMap(true)} />
        <Action command="page.hide-controls" title={t("settings.hideControls")} run={() => show("nothing")} />
        <Action command="page.presenter" title={t("settings.presenter")} run={() => show("presenter")} />
      </Group>
    </Stack>
  );
}

interface ActionProps {
  /** Id of the command that does the same: the button is there where the page has it. */
  readonly command: string;
  readonly title: string;
  readonly run: () => void;
}

function Action({ command, title, run }: ActionProps) {
  const { commands } = useStore(listed);
  if (!commands.some(({ id }) => id === command)) return null;
  const act = (): void => {
    showSettings(false);
    run();
  };
  return (
    <Button variant="default" onClick={act}>
      {title}
    </Button>
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
