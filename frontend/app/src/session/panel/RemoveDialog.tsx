import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Member } from "@wavescope/core/session/state";
import { notifyWithUndo } from "../../ui/notice";
import { operate } from "../state/live";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../../ui/Dialog";

/** Bytes of UTF-8 that reach the removed member (SE51). */
const MOST = 120;

const fits = (text: string): boolean => new TextEncoder().encode(text).length <= MOST;

/** Asks before a member is removed, and what the member is to read; the removal can be undone for a while. */
export function RemoveDialog({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const { id, name } = member;
  const [text, setText] = useState("");
  const remove = (event: React.SubmitEvent): void => {
    event.preventDefault();
    operate({ type: "remove", member: id, text: text.trim() });
    notifyWithUndo(t("session.removedMember", { name }), () => operate({ type: "readmit", member: id }));
    onClose();
  };
  return (
    <Dialog opened onClose={onClose} title={t("session.removeSure", { name })} centered>
      <form onSubmit={remove}>
        <Stack gap="sm">
          <Text size="sm">{t("session.removeHint", { name })}</Text>
          <TextInput
            label={t("session.removeMessage", { name })}
            value={text}
            onChange={({ currentTarget: { value } }) => fits(value) && setText(value)}
            data-autofocus
            autoComplete="off"
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" color="red">
              {t("session.remove")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
