import { ActionIcon, Popover, Switch, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserCheck } from "@tabler/icons-react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { agreement, hasAccount, setAgreed, setShared } from "./accountCoverage";
import { t } from "@wavescope/core/i18n/i18n";

/** The user agrees that coverage is stored with the account, and shared without the name, or no longer does. */
export function AccountSwitch({ microscope }: { readonly microscope: Microscope }) {
  const { agreed, shared } = useStore(agreement);
  const [opened, { set, toggle }] = useDisclosure(false);
  if (!hasAccount(microscope) || agreed === null) return null;
  return (
    <Popover
      opened={opened}
      onChange={set}
      position="left-start"
      middlewares={{ flip: { fallbackPlacements: ["right", "bottom-end"] }, shift: { padding: 8 } }}
      width={280}
      shadow="md"
      withArrow
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Tooltip label={t("coverage.keepAndShare")} position="left" disabled={opened}>
          <ActionIcon
            variant={agreed ? "light" : "default"}
            size="sm"
            onClick={toggle}
            aria-label={t("coverage.keepAndShare")}
          >
            <IconUserCheck size={14} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("coverage.keepAndShare")}>
        <Switch
          label={t("coverage.withAccount")}
          description={t("coverage.withAccountHint")}
          checked={agreed}
          onChange={(event) => void setAgreed(microscope, event.currentTarget.checked)}
        />
        <Switch
          mt="sm"
          label={t("coverage.share")}
          description={t("coverage.shareHint")}
          disabled={!agreed}
          checked={shared}
          onChange={(event) => void setShared(event.currentTarget.checked)}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
