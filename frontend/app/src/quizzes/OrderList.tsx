import { ActionIcon, Group, Stack, Text } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { t } from "@wavescope/core/i18n/i18n";
import type { Option } from "@wavescope/core/wire/catalog/quizzesClient";
import { moved } from "../ui/order";

interface Props {
  readonly items: readonly Option[];
  readonly disabled: boolean;
  readonly onOrder: (ids: readonly string[]) => void;
}

/** Options that are brought into an order by buttons. */
export function OrderList({ items, disabled, onOrder }: Props) {
  const move = (from: number, by: number): void =>
    onOrder(
      moved(
        items.map(({ id }) => id),
        from,
        from + by,
      ),
    );
  return (
    <Stack gap={4} component="ol" m={0} p={0}>
      {items.map(({ id, text }, i) => (
        <Group key={id} gap={4} wrap="nowrap" component="li" data-testid="ordered">
          <Text size="sm" flex={1}>
            {text}
          </Text>
          <ActionIcon
            variant="default"
            aria-label={t("quizzes.moveUp", { name: text })}
            disabled={disabled || i === 0}
            onClick={() => move(i, -1)}
          >
            <IconArrowUp size={14} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label={t("quizzes.moveDown", { name: text })}
            disabled={disabled || i === items.length - 1}
            onClick={() => move(i, 1)}
          >
            <IconArrowDown size={14} />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  );
}
