import { Switch } from "@mantine/core";
import { useStore } from "zustand";
import { settings, setSettings } from "./settings";
import { t } from "@wavescope/core/i18n/i18n";

/** Whether the status line has the samples of channels and the amounts of stains under the pointer. */
export function ValuesSwitch() {
  const values = useStore(settings, (state) => state.values);
  return (
    <Switch
      label={t("microscope.valuesInStatusLine")}
      checked={values}
      onChange={(event) => setSettings({ values: event.currentTarget.checked })}
    />
  );
}
