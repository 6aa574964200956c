import { ActionIcon } from "@mantine/core";
import { IconServerCog, IconUserCircle } from "@tabler/icons-react";
import { t } from "@wavescope/core/i18n/i18n";
import { later } from "../ui/later/Later";
import { LaterMenu } from "../ui/later/LaterMenu";
import { SignInButton } from "./SignInButton";
import { useAccount } from "./account";

const UserMenu = later(async () => (await import("./AccountMenus")).UserMenu);
const AdministrationMenu = later(async () => (await import("./AccountMenus")).AdministrationMenu);

/** Who is signed in, and what belongs to that; without accounts, what belongs to administrators. */
export function AccountMenu() {
  const account = useAccount();
  if (account === undefined) return null;
  if (account.mode === "local") {
    const label = t("accounts.administration"); // without accounts everybody is the administrator
    const target = (
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} title={label}>
        <IconServerCog size={20} />
      </ActionIcon>
    );
    return <LaterMenu target={target} menu={AdministrationMenu} props={{}} />;
  }
  if (account.user === null) return <SignInButton compact />;
  const { title } = account.user;
  const target = (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t("accounts.accountOf", { title })} title={title}>
      <IconUserCircle size={20} />
    </ActionIcon>
  );
  return <LaterMenu target={target} menu={UserMenu} props={{ user: account.user }} />;
}
