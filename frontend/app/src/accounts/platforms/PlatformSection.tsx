import { Alert, Button, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { IconLink, IconPencil } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import {
  type Platform,
  invitePlatform,
  listPlatforms,
  removePlatform,
} from "@wavescope/core/wire/accounts/platformsClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { ConfirmButton } from "../../ui/ConfirmButton";
import { dateLabel } from "../../ui/dates";
import { Copied } from "./Copied";
import { NewPlatformForm } from "./NewPlatformForm";

const KEY = ["platforms"];
const INVITED_MS = 5000; // how often the list is read while a platform may register itself

/** Learning platforms that may launch: register by a link or by hand, see what they do, remove (LT1 to LT5). */
export function PlatformSection() {
  const client = useQueryClient();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: KEY });
  const [byHand, setByHand] = useState(false);
  const invite = useMutation({ mutationFn: invitePlatform });
  const { data, error, isPending } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => listPlatforms(signal),
    refetchInterval: invite.data ? INVITED_MS : false,
  });
  const failure = error ?? invite.error;
  return (
    <Stack component="section" aria-label={t("platforms.platforms")} data-testid="platforms">
      <Title order={2} size="h4">
        {t("platforms.platforms")}
      </Title>
      <Text size="sm" c="dimmed">
        {t("platforms.explained")}
      </Text>
      {failure && <Alert color="red">{explain(failure)}</Alert>}
      {isPending && <Loader size="sm" aria-label={t("common.loading")} />}
      {data?.platforms.length === 0 && <Text size="sm">{t("platforms.none")}</Text>}
      {data?.platforms.map((platform) => (
        <PlatformCard key={platform.id} platform={platform} onRemoved={refresh} />
      ))}
      <Group>
        <Button leftSection={<IconLink size={16} />} loading={invite.isPending} onClick={() => invite.mutate()}>
          {t("platforms.registerByLink")}
        </Button>
        <Button
          variant="default"
          leftSection={<IconPencil size={16} />}
          aria-expanded={byHand}
          onClick={() => setByHand(!byHand)}
        >
          {t("platforms.addByHand")}
        </Button>
      </Group>
      {invite.data && (
        <Paper withBorder p="md">
          <Text size="sm" mb="xs">
            {t("platforms.invitationHint", { time: dateLabel(invite.data.expires) })}
          </Text>
          <Copied name={t("platforms.registrationLink")} value={invite.data.url} />
        </Paper>
      )}
      {byHand && data && (
        <NewPlatformForm
          platforms={data}
          onAdded={() => {
            setByHand(false);
            return refresh();
          }}
        />
      )}
    </Stack>
  );
}

interface CardProps {
  readonly platform: Platform;
  readonly onRemoved: () => Promise<void>;
}

function PlatformCard({ platform, onRemoved }: CardProps) {
  const { id, title, issuer, launched, scores_waiting: waiting, scores_lost: lost, fault } = platform;
  const remove = useMutation({ mutationFn: removePlatform, onSuccess: onRemoved });
  return (
    <Paper withBorder p="md" data-testid="platform">
      <Group justify="space-between" align="flex-start">
        <Stack gap={2} flex={1} miw={200}>
          <Text fw={600}>{title}</Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {issuer}
          </Text>
          <Text size="sm">
            {launched === null
              ? t("platforms.neverLaunched")
              : t("platforms.lastLaunch", { time: dateLabel(launched) })}
          </Text>
        </Stack>
        <ConfirmButton
          label={t("platforms.remove")}
          confirmLabel={t("platforms.removeNamed", { name: title })}
          loading={remove.isPending}
          onConfirm={() => remove.mutate(id)}
        />
      </Group>
      {waiting + lost > 0 && (
        <Alert color="yellow" mt="sm" title={t("platforms.unsent")}>
          {[
            waiting > 0 && `${t("platforms.scoresWaiting", { count: waiting })}.`,
            lost > 0 && `${t("platforms.scoresLost", { count: lost })}.`,
            t("platforms.unsentReason", { reason: fault }),
          ]
            .filter(Boolean)
            .join(" ")}
        </Alert>
      )}
      {remove.error && (
        <Alert color="red" mt="sm">
          {explain(remove.error)}
        </Alert>
      )}
    </Paper>
  );
}
