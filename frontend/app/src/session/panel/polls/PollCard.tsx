import { Badge, Button, Checkbox, Group, Radio, Stack, Text } from "@mantine/core";
import { useEffect, useEffectEvent, useState } from "react";
import { type Poll, type PollAnswer, newestPoll } from "@wavescope/core/session/state";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { pickPositions } from "@wavescope/viewer/navigation/clicks";
import { readView } from "@wavescope/viewer/view/view";
import type { PartProps } from "../../../microscope/parts";
import { notifyWithUndo } from "../../../ui/notice";
import { type Participant, operate } from "../../state/live";
import { useClient } from "../../state/useSession";
import { PollDots } from "./PollDots";
import { PollResultsView } from "./PollResultsView";
import styles from "../../session.module.css";
import { t } from "@wavescope/core/i18n/i18n";

interface Props extends Participant, PartProps {
  readonly poll: Poll;
  /** Whether this member closes, shows and deletes it. */
  readonly asks: boolean;
  readonly readOnly: boolean;
}

/** One poll: answered while it is open, then its results for those who may see them. */
export function PollCard(props: Props) {
  const { poll, asks, readOnly, session, microscope, manifest } = props;
  const own = useClient((client) => client.own);
  const [preview, setPreview] = useState(false);
  const answer = own.answers.find((one) => one.poll === poll.id)?.answer ?? null;
  const hidden = own.results.find((one) => one.poll === poll.id)?.results ?? null;
  const results = poll.results ?? (asks && preview ? hidden : null);
  const newest = poll.id === newestPoll(session)?.id; // what all see of it is drawn without this card (SE69)
  const here = poll.slide === manifest.id && !(newest && results === poll.results);
  return (
    <Stack gap="xs" className={styles.poll} data-testid="poll" data-open={poll.open}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
          {poll.question}
        </Text>
        <Badge variant="outline" color="gray" size="sm" className={styles.act}>
          {poll.open ? t("session.pollOpen") : poll.results ? t("session.pollShown") : t("session.pollClosed")}
        </Badge>
      </Group>
      {poll.open && !readOnly && <Answering {...props} answer={answer} />}
      {results && <PollResultsView poll={poll} results={results} session={session} own={answer} />}
      {here && (
        <PollDots
          microscope={microscope}
          session={session}
          results={results}
          own={newest ? null : (answer?.point ?? null)}
        />
      )}
      <Text size="xs" c="dimmed">
        {[
          t("session.pollAnswered", { count: poll.answered }),
          poll.named ? t("session.pollNames") : t("session.pollAnonymous"),
        ].join(" · ")}
      </Text>
      {asks && <Controls poll={poll} preview={preview} onPreview={() => setPreview(!preview)} />}
    </Stack>
  );
}

interface ControlsProps {
  readonly poll: Poll;
  readonly preview: boolean;
  readonly onPreview: () => void;
}

function Controls({ poll, preview, onPreview }: ControlsProps) {
  const close = (reveal: boolean): void => operate({ type: "close-poll", poll: poll.id, reveal });
  const remove = (): void => {
    operate({ type: "delete-poll", poll: poll.id });
    notifyWithUndo(t("session.pollDeleted"), () => operate({ type: "restore-poll", poll: poll.id }));
  };
  return (
    <Group gap={6}>
      {poll.open && (
        <Button variant="default" size="compact-sm" onClick={() => close(false)}>
          {t("session.pollClose")}
        </Button>
      )}
      <Button
        variant={poll.results ? "default" : "filled"}
        size="compact-sm"
        onClick={() => close(poll.results === null)}
      >
        {poll.results ? t("session.pollHide") : t("session.pollReveal")}
      </Button>
      {!poll.results && (
        <Button variant="default" size="compact-sm" aria-pressed={preview} onClick={onPreview}>
          {preview ? t("session.pollPreviewHide") : t("session.pollPreview")}
        </Button>
      )}
      <Button variant="subtle" color="red" size="compact-sm" onClick={remove}>
        {t("common.delete")}
      </Button>
    </Group>
  );
}

function Answering({ poll, answer, session, microscope, manifest }: Props & { readonly answer: PollAnswer | null }) {
  const give = (choices: readonly number[], point: PollAnswer["point"] = null): void =>
    operate({ type: "answer-poll", poll: poll.id, answer: { choices, point } });
  const chosen = (answer?.choices ?? []).map(String);
  const options = poll.options.map((option, i) => ({ value: String(i), label: option }));
  const saved = answer !== null && (
    <Text size="xs" role="status">
      {t("session.pollSaved")}
    </Text>
  );
  if (poll.kind === "single")
    return (
      <Radio.Group aria-label={poll.question} value={chosen[0] ?? null} onChange={(value) => give([Number(value)])}>
        <Stack gap={6}>
          {options.map((one) => (
            <Radio key={one.value} size="sm" {...one} />
          ))}
          {saved}
        </Stack>
      </Radio.Group>
    );
  if (poll.kind === "multiple")
    return (
      <Checkbox.Group
        aria-label={poll.question}
        value={chosen}
        onChange={(values) => values.length > 0 && give(values.map(Number).sort((a, b) => a - b))}
      >
        <Stack gap={6}>
          {options.map((one) => (
            <Checkbox key={one.value} size="sm" {...one} />
          ))}
          {saved}
        </Stack>
      </Checkbox.Group>
    );
  if (poll.slide !== manifest.id) {
    const title = session.slides.find(({ id }) => id === poll.slide)?.title ?? "";
    return <Text size="sm">{t("session.pollOtherSlide", { title })}</Text>;
  }
  return (
    <Stack gap={6}>
      <Spot microscope={microscope} onSpot={(l0_x, l0_y) => give([], { l0_x, l0_y })} />
      {saved}
    </Stack>
  );
}

interface SpotProps {
  readonly microscope: Microscope;
  /** Level-0 pixels. */
  readonly onSpot: (l0_x: number, l0_y: number) => void;
}

/** A click on the slide answers; a drag moves the picture as ever. */
function Spot({ microscope, onSpot }: SpotProps) {
  const pick = useEffectEvent(onSpot);
  useEffect(() => pickPositions(microscope, ({ l0_x, l0_y }) => pick(l0_x, l0_y)), [microscope]);
  const takeCentre = (): void => {
    const { l0_x, l0_y } = readView(microscope);
    onSpot(l0_x, l0_y);
  };
  return (
    <Group gap="xs">
      <Text size="sm">{t("session.pollClickSlide")}</Text>
      <Button variant="default" size="compact-sm" onClick={takeCentre}>
        {t("session.pollCentre")}
      </Button>
    </Group>
  );
}
