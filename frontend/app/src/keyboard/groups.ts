import type { Command } from "../microscope/parts";

/** Commands under their headings, both in the order in which they first come. */
export function groupsOf(
  commands: readonly Command[],
): { readonly group: string; readonly members: readonly Command[] }[] {
  const names = [...new Set(commands.map(({ group }) => group))];
  return names.map((group) => ({ group, members: commands.filter((command) => command.group === group) }));
}

/** The commands that have every word of a query in their title or heading. */
export function found(commands: readonly Command[], query: string): readonly Command[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ title, group }) => words.every((word) => `${title} ${group}`.toLowerCase().includes(word)));
}
