import { ActionIcon } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import { useScheme } from "./useScheme";
import { Hint } from "./later/Hint";
import { t } from "@wavescope/core/i18n/i18n";

export function SchemeToggle({ className }: { readonly className?: string }) {
  const { other, toggle } = useScheme();
  const name = t(other === "light" ? "ui.useLight" : "ui.useDark");
  return (
    <Hint label={name}>
      <ActionIcon className={className} variant="subtle" color="gray" size="lg" onClick={toggle} aria-label={name}>
        {other === "light" ? <IconSun size={18} /> : <IconMoon size={18} />}
      </ActionIcon>
    </Hint>
  );
}
