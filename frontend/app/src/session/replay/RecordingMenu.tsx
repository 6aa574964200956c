import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useState } from "react";
import { explain } from "@wavescope/core/wire/http/explain";
import { type Recording, deleteRecording, shareRecording } from "@wavescope/core/wire/sessions/sessionsClient";
import { notify, notifyFailure } from "../../ui/notice";
import { useHasAccounts } from "../../accounts/account";
import { queryClient } from "../../state/queries";
import { quit } from "../state/live";
import { t } from "@wavescope/core/i18n/i18n";

/** What its owner may do with a recording. */
export function RecordingMenu({ about }: { readonly about: Recording }) {
  const [shared, setShared] = useState(about.shared);
  const [confirming, setConfirming] = useState(false);
  const accounts = useHasAccounts();
  const attempt = async (work: () => Promise<string>): Promise<void> => {
    try {
      notify(await work());
      await queryClient.invalidateQueries({ queryKey: ["recordings"] });
    } catch (error) {
      notifyFailure(t("session.notDone"), explain(error));
    }
  };
  const share = async (): Promise<string> => {
    const now = await shareRecording(about.id, !shared);
    setShared(now.shared);
    return now.shared ? t("session.sharedHint") : t("session.privateHint");
  };
  const remove = async (): Promise<string> => {
    await deleteRecording(about.id);
    quit();
    return t("session.recordingDeleted");
  };
  return (
    <Menu position="top-end" withinPortal onClose={() => setConfirming(false)}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t("session.recordingActions")}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {accounts && (
          <Menu.Item onClick={() => void attempt(share)}>
            {shared ? t("session.stopSharing") : t("session.shareWithViewers")}
          </Menu.Item>
        )}
        <Menu.Item
          color="red"
          closeMenuOnClick={confirming}
          onClick={() => (confirming ? void attempt(remove) : setConfirming(true))}
        >
          {confirming ? t("session.deleteSure") : t("common.delete")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
