import { Spotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import "@mantine/spotlight/styles.css";
import { IconSearch } from "@tabler/icons-react";
import { commands } from "../commands";
import type { Command, SlideContext } from "../parts";
import { groupsOf } from "./groups";
import { KeyCaps } from "./KeyCaps";

/** All that can be done now, found by typing. */
export function CommandPalette({ context, list = commands }: { readonly context: SlideContext; readonly list?: readonly Command[] }) {
  const groups = groupsOf(list).map(
    ({ group, members }): SpotlightActionGroupData => ({
      group,
      actions: members
        .filter((command) => command.id !== "page.palette" && (command.available?.(context) ?? true))
        .map((command) => ({
          id: command.id,
          label: command.title,
          keywords: [group],
          rightSection: command.keys.length > 0 && <KeyCaps name={command.keys[0]} />,
          onClick: () => command.run(context),
        })),
    }),
  );
  return (
    <Spotlight
      actions={groups}
      shortcut={null}
      nothingFound="No such command"
      scrollable
      maxHeight="60vh"
      highlightQuery
      searchProps={{ leftSection: <IconSearch size={18} />, placeholder: "What shall be done?", "aria-label": "Search commands" }}
    />
  );
}
