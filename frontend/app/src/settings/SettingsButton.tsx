import { ActionIcon } from "@mantine/core";
import { IconSettings } from "@tabler/icons-react";
import { useStore } from "zustand";
import { settingsDialog, showSettings } from "./dialog";
import { Hint } from "../ui/later/Hint";
import { later } from "../ui/later/Later";
import { t } from "@wavescope/core/i18n/i18n";

const SettingsDialog = later(async () => (await import("./SettingsDialog")).SettingsDialog);

/** Opens the settings, on pages without a slide of their own. */
export function SettingsButton() {
  const { open } = useStore(settingsDialog);
  return (
    <>
      <Hint label={t("settings.settings")} commands={["page.settings"]}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          onClick={() => showSettings(true)}
          aria-label={t("settings.settings")}
        >
          <IconSettings size={18} />
        </ActionIcon>
      </Hint>
      {open && <SettingsDialog />}
    </>
  );
}
