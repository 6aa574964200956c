interface Named {
  readonly group: string;
  readonly title: string;
}

/** Commands under their headings, both in the order in which they first come. */
export function groupsOf<C extends Named>(
  commands: readonly C[],
): { readonly group: string; readonly members: readonly C[] }[] {
  const names = [...new Set(commands.map(({ group }) => group))];
  return names.map((group) => ({ group, members: commands.filter((command) => command.group === group) }));
}

/** The commands that have every word of a query in their title or heading. */
export function found<C extends Named>(commands: readonly C[], query: string): readonly C[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ title, group }) => words.every((word) => `${title} ${group}`.toLowerCase().includes(word)));
}
