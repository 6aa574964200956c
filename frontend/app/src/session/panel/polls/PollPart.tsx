import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { mayHandOver } from "@wavescope/core/session/state";
import type { PartProps } from "../../../microscope/parts";
import type { Participant } from "../../state/live";
import { Earlier } from "../Earlier";
import { Heading } from "../Heading";
import { AskForm } from "./AskForm";
import { PollCard } from "./PollCard";
import { t } from "@wavescope/core/i18n/i18n";

/** The polls of the session, the newest first; presenter and owner ask. `readOnly`: of a recording. */
export function PollPart({ readOnly = false, ...props }: Participant & PartProps & { readonly readOnly?: boolean }) {
  const { session, you } = props;
  const [asking, setAsking] = useState(false);
  const [newest, ...others] = (session.polls ?? []).toReversed();
  const asks = !readOnly && mayHandOver(session, you);
  if (!asks && !newest) return null;
  return (
    <Stack gap="xs" data-testid="session-polls">
      <Group justify="space-between">
        <Heading>{t("session.polls")}</Heading>
        {asks && !asking && (
          <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
            {t("session.pollNew")}
          </Button>
        )}
      </Group>
      {asking && <AskForm slide={props.manifest.id} session={session} onClose={() => setAsking(false)} />}
      {!newest && !asking && (
        <Text size="sm" c="dimmed">
          {t("session.pollNone")}
        </Text>
      )}
      {newest && <PollCard key={newest.id} {...props} poll={newest} asks={asks} readOnly={readOnly} />}
      {others.length > 0 && (
        <Earlier label={t("session.pollEarlier", { count: others.length })}>
          {others.map((poll) => (
            <PollCard key={poll.id} {...props} poll={poll} asks={asks} readOnly={readOnly} />
          ))}
        </Earlier>
      )}
    </Stack>
  );
}
