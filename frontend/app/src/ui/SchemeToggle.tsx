import { ActionIcon } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import { useScheme } from "./useScheme";
import { Hint } from "./later/Hint";
import { t } from "@wavescope/core/i18n/i18n";

export function SchemeToggle({ className }: { readonly className?: string }) {
  const { other, toggle } = useScheme();
  return (
    <Hint label={t("ui.useTheme", { other })}>
      <ActionIcon
        className={className}
        variant="subtle"
        color="gray"
        size="lg"
        onClick={toggle}
        aria-label={t("ui.useTheme", { other })}
      >
        {other === "light" ? <IconSun size={18} /> : <IconMoon size={18} />}
      </ActionIcon>
    </Hint>
  );
}
