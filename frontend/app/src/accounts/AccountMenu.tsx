import { ActionIcon, Menu, Text, Tooltip } from "@mantine/core";
import {
  IconGauge,
  IconKey,
  IconListDetails,
  IconLogout,
  IconServerCog,
  IconUserCircle,
  IconUsers,
} from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { signOut } from "@wavescope/core/wire/accounts/accountClient";
import { forgetSeen } from "@wavescope/core/wire/stored/seenStore";
import { forgetLayers } from "@wavescope/viewer/annotate/store/layerMemory";
import { explain } from "@wavescope/core/wire/http/explain";
import { notifyFailure } from "../ui/notice";
import { ROLE_NAMES } from "../ui/roles";
import { navigate } from "../state/router";
import { SignInButton } from "./SignInButton";
import { accountChanged, useAccount } from "./account";
import { t } from "@wavescope/core/i18n/i18n";

/** Who is signed in, and what belongs to that; without accounts, what belongs to administrators. */
export function AccountMenu() {
  const account = useAccount();
  const client = useQueryClient();
  const leave = useMutation({
    mutationFn: () => {
      forgetSeen();
      forgetLayers();
      return signOut();
    },
    onSuccess: async () => {
      await accountChanged(client);
      navigate("/");
    },
    onError: (error) => notifyFailure(t("accounts.stillSignedIn"), explain(error)),
  });
  if (account === undefined) return null;
  if (account.mode === "local") return <AdministrationMenu />;
  if (account.user === null) return <SignInButton compact />;
  const { title, name, role } = account.user;
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Tooltip label={title} position="left">
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t("accounts.accountOf", { title })}>
            <IconUserCircle size={20} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {title}
          </Text>
          <Text size="xs">{t("accounts.nameAndRole", { name, role: ROLE_NAMES[role] })}</Text>
        </Menu.Label>
        <Menu.Item leftSection={<IconKey size={14} />} onClick={() => navigate("/account")}>
          {t("accounts.passwordAndTokens")}
        </Menu.Item>
        {role === "admin" && (
          <Menu.Item leftSection={<IconUsers size={14} />} onClick={() => navigate("/people")}>
            {t("accounts.usersAndGroups")}
          </Menu.Item>
        )}
        {role === "admin" && (
          <Menu.Item leftSection={<IconListDetails size={14} />} onClick={() => navigate("/audit")}>
            {t("audit.auditLog")}
          </Menu.Item>
        )}
        {role === "admin" && <PlannerItem />}
        <Menu.Item leftSection={<IconLogout size={14} />} onClick={() => leave.mutate()}>
          {t("accounts.signOut")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Where there are no accounts, everybody is the administrator. */
function AdministrationMenu() {
  const label = t("accounts.administration");
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Tooltip label={label} position="left">
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label}>
            <IconServerCog size={20} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <PlannerItem />
      </Menu.Dropdown>
    </Menu>
  );
}

function PlannerItem() {
  return (
    <Menu.Item leftSection={<IconGauge size={14} />} onClick={() => navigate("/planner")}>
      {t("planner.plannerInto")}
    </Menu.Item>
  );
}
