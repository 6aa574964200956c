import { Spotlight } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import type { Command, SlideContext } from "../microscope/parts";
import { useStore } from "zustand";
import { keyMap } from "../ui/keys/keyMap";
import { withKeys } from "../ui/keys/withKeys";
import { found, groupsOf } from "./groups";
import { KeyCaps } from "./KeyCaps";
import styles from "./keyboard.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** Handed on to Mantine's ScrollArea, though the list's own types do not say so: what scrolls must take the focus. */
const SCROLLED_BY_KEYS = {
  viewportProps: { tabIndex: 0, role: "group", "aria-label": t("keyboard.commands") },
} as object;

/** All that can be done now, found by typing. */
export function CommandPalette({
  context,
  list,
}: {
  readonly context: SlideContext;
  readonly list: readonly Command[];
}) {
  const [query, setQuery] = useState("");
  const map = useStore(keyMap);
  const usable = withKeys(list, map).filter(
    (command) => command.id !== "page.palette" && (command.available?.(context) ?? true),
  );
  const groups = groupsOf(found(usable, query));
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      scrollable
      maxHeight="60vh"
      title={t("keyboard.commandPalette")}
      classNames={{ header: styles.unseen }}
    >
      <Spotlight.Search
        leftSection={<IconSearch size={18} />}
        autoFocus // as soon as it is seen: the next key is for it
        placeholder={t("keyboard.searchPlaceholder")}
        aria-label={t("keyboard.searchPlaceholder")}
      />
      <Spotlight.ActionsList {...SCROLLED_BY_KEYS}>
        {groups.map(({ group, members }) => (
          <Spotlight.ActionsGroup key={group} label={group}>
            {members.map((command) => (
              <Spotlight.Action
                key={command.id}
                label={command.title}
                highlightQuery
                rightSection={command.keys.length > 0 && <KeyCaps name={command.keys[0]!} />}
                onClick={() => command.run(context)}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>{t("keyboard.nothingFound")}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
