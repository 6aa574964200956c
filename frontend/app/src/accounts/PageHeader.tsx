import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { AccountMenu } from "./AccountMenu";
import { SchemeToggle } from "../ui/SchemeToggle";
import styles from "../ui/page.module.css";
import { addressOf, follow } from "../state/router";
import { t } from "@wavescope/core/i18n/i18n";

/** The head of a page that belongs to the gallery. */
export function PageHeader({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <header className={styles.header}>
      <Tooltip label={t("common.backGallery")}>
        <ActionIcon
          component="a"
          href={addressOf("/")}
          onClick={(event: React.MouseEvent) => follow(event, "/")}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t("common.backGallery")}
        >
          <IconArrowLeft size={18} />
        </ActionIcon>
      </Tooltip>
      <h1 className={styles.pageTitle}>{title}</h1>
      <div className={styles.headerActions}>{children}</div>
      <AccountMenu />
      <SchemeToggle />
    </header>
  );
}
