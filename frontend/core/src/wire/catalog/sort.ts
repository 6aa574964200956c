/** The orders of lists of slides. */
export const SORTS = ["newest", "oldest", "title"] as const;
/** The orders that have a name of their own. */
export type NamedSort = (typeof SORTS)[number];
/** Also by title downwards, and by the values of a tag, up and down. */
export type Sort = NamedSort | "-title" | `tag.${string}` | `-tag.${string}`;

const SORT = /^(newest|oldest|-?title|-?tag\.[^:]{1,40})$/;

export const isSort = (text: string | null): text is Sort => text !== null && SORT.test(text);
