import { Button, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { navigate } from "../state/router";
import { groupedCode } from "../session/state/labels";
import { faultOf, plainCode } from "./code";
import styles from "./join.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** Where the code of a session is typed. `tried`: one that led nowhere. */
export function CodeForm({ initialCode = "" }: { readonly initialCode?: string }) {
  const [typed, setTyped] = useState(faultOf(initialCode) === null ? groupedCode(initialCode) : initialCode);
  const [complaint, setComplaint] = useState<string | null>(null);
  const submit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    const code = plainCode(typed);
    const fault = faultOf(code);
    setComplaint(fault);
    if (fault === null) navigate(`/join/${code}`);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput
          label={t("join.code")}
          description={t("join.codeHint")}
          placeholder="7KQM-2XWD"
          classNames={{ input: styles.code }}
          maxLength={200}
          autoFocus
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={typed}
          error={complaint}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setComplaint(null);
          }}
        />
        <Button type="submit" disabled={typed.trim() === ""}>
          {t("join.continue")}
        </Button>
      </Stack>
    </form>
  );
}
