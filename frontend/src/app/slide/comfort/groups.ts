import type { Command } from "../parts";

/** Commands under their headings, both in the order in which they first come. */
export function groupsOf(commands: readonly Command[]): { readonly group: string; readonly members: readonly Command[] }[] {
  const names = [...new Set(commands.map(({ group }) => group))];
  return names.map((group) => ({ group, members: commands.filter((command) => command.group === group) }));
}
