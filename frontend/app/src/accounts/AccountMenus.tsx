import { Menu, Text } from "@mantine/core";
import { IconGauge, IconKey, IconListDetails, IconLogout, IconUsers } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Account, signOut } from "@wavescope/core/wire/accounts/accountClient";
import { forgetSeen } from "@wavescope/core/wire/stored/seenStore";
import { forgetLayers } from "@wavescope/viewer/annotate/store/layerMemory";
import { explain } from "@wavescope/core/wire/http/explain";
import { t } from "@wavescope/core/i18n/i18n";
import { navigate } from "../state/router";
import type { MenuProps } from "../ui/later/LaterMenu";
import { OpenedMenu } from "../ui/later/OpenedMenu";
import { notifyFailure } from "../ui/notice";
import { ROLE_NAMES } from "../ui/roles";
import { accountChanged } from "./account";

/** Who is signed in, and what belongs to that. */
export function UserMenu({ user, target }: MenuProps & { readonly user: NonNullable<Account["user"]> }) {
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
  const { title, name, role } = user;
  return (
    <OpenedMenu target={target}>
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
    </OpenedMenu>
  );
}

export function AdministrationMenu({ target }: MenuProps) {
  return (
    <OpenedMenu target={target}>
      <PlannerItem />
    </OpenedMenu>
  );
}

function PlannerItem() {
  return (
    <Menu.Item leftSection={<IconGauge size={14} />} onClick={() => navigate("/planner")}>
      {t("planner.plannerInto")}
    </Menu.Item>
  );
}
