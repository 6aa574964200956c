import { Button } from "@mantine/core";
import { IconLogin } from "@tabler/icons-react";
import { addressOf, follow } from "../state/router";
import { t } from "@wavescope/core/i18n/i18n";

/** Leads to the sign-in and back here. */
export function SignInButton({ compact = false }: { readonly compact?: boolean }) {
  const query = { next: location.pathname + location.hash };
  return (
    <Button
      component="a"
      href={addressOf("/sign-in", query)}
      onClick={(event: React.MouseEvent) => follow(event, "/sign-in", query)}
      leftSection={<IconLogin size={16} />}
      variant={compact ? "default" : "filled"}
    >
      {t("accounts.signIn")}
    </Button>
  );
}
