import { ActionIcon, Tooltip } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import { useScheme } from "./useScheme";

export function SchemeToggle() {
  const { other, toggle } = useScheme();
  return (
    <Tooltip label={`Use the ${other} theme`}>
      <ActionIcon variant="subtle" color="gray" size="lg" onClick={toggle} aria-label={`Use the ${other} theme`}>
        {other === "light" ? <IconSun size={18} /> : <IconMoon size={18} />}
      </ActionIcon>
    </Tooltip>
  );
}
