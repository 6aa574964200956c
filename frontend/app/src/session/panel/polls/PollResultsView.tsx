import { Progress, Stack, Text } from "@mantine/core";
import {
  type Poll,
  type PollAnswer,
  type PollResults,
  type SessionState,
  memberOf,
} from "@wavescope/core/session/state";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly poll: Poll;
  readonly results: PollResults;
  readonly session: SessionState;
  /** What this member has answered. */
  readonly own: PollAnswer | null;
}

/** The results as bars; of a point, how many there are: they are dots on the slide. */
export function PollResultsView({ poll, results, session, own }: Props) {
  const names = (number: number): string =>
    results.answers
      .filter(({ answer }) => answer.choices.includes(number))
      .map(({ by }) => memberOf(session, by)?.name ?? t("session.someone"))
      .join(", ");
  if (poll.kind === "point")
    return (
      <Text size="sm" data-testid="poll-results">
        {t("session.pollSpots", { count: results.answers.length })}
      </Text>
    );
  const total = Math.max(poll.answered, 1);
  return (
    <Stack gap={8} data-testid="poll-results">
      {poll.options.map((option, i) => {
        const count = results.counts[i] ?? 0;
        const percent = Math.round((100 * count) / total);
        const label = t("session.pollCount", { option, count, total: poll.answered, percent });
        return (
          <div key={i}>
            <Text size="sm" fw={own?.choices.includes(i) ? 600 : 400}>
              {own?.choices.includes(i)
                ? t("session.membersMarked", { name: label, marks: t("session.pollYours") })
                : label}
            </Text>
            <Progress value={percent} size="lg" aria-label={label} transitionDuration={200} />
            {poll.named && count > 0 && (
              <Text size="xs" c="dimmed">
                {names(i)}
              </Text>
            )}
          </div>
        );
      })}
    </Stack>
  );
}
