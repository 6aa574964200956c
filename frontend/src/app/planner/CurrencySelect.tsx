import { Select, Text } from "@mantine/core";
import { t } from "../../i18n/i18n";
import { CURRENCIES } from "./figures";

interface Props {
  readonly value: string;
  readonly onChange: (currency: string) => void;
}

/** The currency of all prices. Nothing is converted: the prices are the user's own. */
export function CurrencySelect({ value, onChange }: Props) {
  return (
    <>
      <Text size="xs" c="dimmed">
        {t("planner.pricesHint")}
      </Text>
      <Select
        label={t("planner.currency")}
        data={CURRENCIES}
        value={value}
        onChange={(currency) => currency && onChange(currency)}
        allowDeselect={false}
        mt={6}
      />
    </>
  );
}
