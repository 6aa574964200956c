import { Switch } from "@mantine/core";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { agreement, hasAccount, setAgreed, setShared } from "./accountCoverage";
import styles from "./coverage.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** The user agrees that coverage is stored with the account, and shared without the name, or no longer does. */
export function AccountSwitch({ microscope }: { readonly microscope: Microscope }) {
  const { agreed, shared } = useStore(agreement);
  if (!hasAccount(microscope) || agreed === null) return null;
  return (
    <div className={styles.account}>
      <Switch
        size="xs"
        labelPosition="left"
        label={t("coverage.withAccount")}
        description={t("coverage.withAccountHint")}
        checked={agreed}
        onChange={(event) => void setAgreed(microscope, event.currentTarget.checked)}
      />
      {agreed && (
        <Switch
          mt={6}
          size="xs"
          labelPosition="left"
          label={t("coverage.share")}
          description={t("coverage.shareHint")}
          checked={shared}
          onChange={(event) => void setShared(event.currentTarget.checked)}
        />
      )}
    </div>
  );
}
