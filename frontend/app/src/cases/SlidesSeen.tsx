import { Group, Progress, Text } from "@mantine/core";
import { t } from "@wavescope/core/i18n/i18n";

interface SlidesSeenProps {
  readonly count: number;
  readonly reviewed: number;
  readonly total: number;
}

export function SlidesSeen({ count, reviewed, total }: SlidesSeenProps) {
  const seen = t("cases.seenOf", { count, total });
  const text = reviewed > 0 ? `${seen} · ${t("cases.reviewedOf", { count: reviewed })}` : seen;
  return (
    <Group gap={8} wrap="nowrap" data-testid="case-progress">
      <Progress value={(100 * count) / total} w={120} aria-label={text} />
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    </Group>
  );
}
