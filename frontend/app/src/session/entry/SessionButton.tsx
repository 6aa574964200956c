import { ActionIcon, Tooltip } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { useStore } from "zustand";
import { useMay } from "../../accounts/account";
import type { PartProps } from "../../microscope/parts";
import { showPanel } from "../../microscope/panelState";
import { StartDialog } from "./StartDialog";
import { dialogs, showDialog } from "../state/dialogs";
import { useInSession } from "../state/useSession";
import { t } from "@wavescope/core/i18n/i18n";

/** In the top bar of a slide: a live session from here, or the one that there is. */
export function SessionButton(props: PartProps) {
  const inside = useInSession();
  const may = useMay("instructor") || inside;
  const open = useStore(dialogs, (state) => state.open);
  const label = inside ? t("session.liveSession") : t("session.startLiveSession");
  return (
    <>
      {may && (
        <Tooltip label={`${label} (Shift+S)`}>
          <ActionIcon
            visibleFrom="xs" // on a phone the panel below has it
            variant={inside ? "light" : "subtle"}
            color={inside ? undefined : "gray"}
            size="lg"
            aria-label={label}
            onClick={() => openSession(inside)}
          >
            <IconUsers size={18} />
          </ActionIcon>
        </Tooltip>
      )}
      {open === "start" && !inside && <StartDialog {...props} onClose={() => showDialog(null)} />}
    </>
  );
}

function openSession(inside: boolean): void {
  if (inside) showPanel("session");
  else showDialog("start");
}
