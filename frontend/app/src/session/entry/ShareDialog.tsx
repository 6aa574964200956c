import { Button, CopyButton, Group, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { explain } from "@wavescope/core/wire/http/explain";
import { replaceCode } from "@wavescope/core/wire/sessions/sessionsClient";
import { QrPicture } from "../../ui/QrPicture";
import { notifyFailure } from "../../ui/notice";
import { useParticipant } from "../state/useSession";
import { groupedCode } from "../state/labels";
import styles from "../session.module.css";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../../ui/Dialog";

/** The ways in: a link, a code to read out, a picture to point a phone at. */
export function ShareDialog({ onClose }: { readonly onClose: () => void }) {
  const participant = useParticipant();
  const code = participant?.session.code;
  return (
    <Dialog opened onClose={onClose} title={t("session.inviteHere")} centered data-testid="share-session">
      {code ? <JoinOptions code={code} /> : <Text size="sm">{t("session.connecting")}</Text>}
      {participant && participant.session.owner === participant.you && <OtherCode id={participant.session.id} />}
    </Dialog>
  );
}

function JoinOptions({ code }: { readonly code: string }) {
  const link = `${location.origin}/join/${code}`;
  return (
    <Stack align="center" gap="md">
      <QrPicture text={link} label={t("session.qrCode", { link })} />
      <Stack gap={0} align="center">
        <Text size="sm" c="dimmed">
          {t("join.code")}
        </Text>
        <Text className={styles.code} data-testid="session-code">
          {groupedCode(code)}
        </Text>
      </Stack>
      <Text size="sm" className={styles.link} data-testid="session-link">
        {link}
      </Text>
      <Group>
        <Copy value={link} label={t("common.copyLink")} />
        <Copy value={groupedCode(code)} label={t("session.copyCode")} />
      </Group>
    </Stack>
  );
}

/** For a code that reached the wrong person. */
function OtherCode({ id }: { readonly id: string }) {
  const replace = useMutation({
    mutationFn: () => replaceCode(id),
    onError: (error) => notifyFailure(t("session.codeNotReplaced"), explain(error)),
  });
  return (
    <Group justify="center" mt="md">
      <Button variant="subtle" size="compact-sm" loading={replace.isPending} onClick={() => replace.mutate()}>
        {t("session.generateNewCode")}
      </Button>
    </Group>
  );
}

function Copy({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <CopyButton value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={copy}
        >
          {copied ? t("common.copied") : label}
        </Button>
      )}
    </CopyButton>
  );
}
