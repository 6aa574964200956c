import type { User } from "@wavescope/core/wire/accounts/usersClient";

const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Those whose names contain every word of the search, whatever their accents. */
export function foundUsers<Found extends Pick<User, "name" | "title">>(
  users: readonly Found[],
  search: string,
): readonly Found[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  return users.filter(({ name, title }) => words.every((word) => plain(`${name} ${title}`).includes(word)));
}
