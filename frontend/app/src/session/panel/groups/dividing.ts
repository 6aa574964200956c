/** Who comes into which group: pure. */
import { type Group, type Member, type SessionState, groupOf } from "@wavescope/core/session/state";

export const MAX_GROUPS = 20;

/** Those whom the host divides: all who are here but the host, in the order in which they joined. */
export function toDivide({ members, owner }: SessionState): readonly Member[] {
  return members.filter(({ id, present }) => present && id !== owner).sort((a, b) => a.joined - b.joined);
}

/** As many groups as asked for, of equal sizes or with one more, filled in turn. */
export function dividedEvenly<T>(members: readonly T[], count: number): readonly (readonly T[])[] {
  return Array.from({ length: count }, (_, group) => members.filter((_, i) => i % count === group));
}

/** The list in an order of chance (Fisher and Yates). */
export function shuffled<T>(list: readonly T[], random: () => number = Math.random): readonly T[] {
  const mixed = [...list];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}

/** The members of a group, or of none, as far as they are known; the host only as a visitor. */
export function membersIn(session: SessionState, group: Group | null): readonly Member[] {
  return session.members.filter(
    ({ id }) => groupOf(session, id)?.id === group?.id && (group !== null || id !== session.owner),
  );
}
