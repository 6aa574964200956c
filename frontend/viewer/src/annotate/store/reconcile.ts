/** What becomes of two changes of one object (annotations.md, AN12): neither side is dropped. Pure. */
import { sameShape } from "@wavescope/core/geometry/shape";
import { t } from "@wavescope/core/i18n/i18n";
import type { Color, Content } from "@wavescope/core/wire/annotations/annotations";

export type Settlement =
  /** Theirs is what is shown; nothing of mine is left to send. */
  | { readonly kind: "theirs"; readonly overruled: boolean }
  /** This is shown and sent on theirs' revision. */
  | { readonly kind: "again"; readonly content: Content }
  /** Theirs is shown, and mine becomes an object of its own. */
  | { readonly kind: "copy"; readonly content: Content };

const NAME_LENGTH = 200;

/** `me`: who made mine. `locked`: theirs stays as it is (AN45). */
export function reconcile(
  base: Content | null,
  mine: Content | null,
  theirs: Content | null,
  me: string,
  locked = false,
): Settlement {
  if (sameContent(mine, theirs) || sameContent(mine, base)) return { kind: "theirs", overruled: false };
  if (mine === null) return { kind: "theirs", overruled: true };
  if (theirs === null) return { kind: "again", content: mine };
  const merged = locked ? null : base && merge(base, mine, theirs);
  return merged ? { kind: "again", content: merged } : { kind: "copy", content: { ...mine, name: copyName(mine, me) } };
}

/** The same of an undo, which took back `base` to `mine` (AN51): theirs stays where both changed the same. */
export function reconcileTurn(
  base: Content | null,
  mine: Content | null,
  theirs: Content | null,
  locked = false,
): Settlement {
  if (sameContent(mine, theirs) || sameContent(mine, base)) return { kind: "theirs", overruled: false };
  const turned = locked ? undefined : turnedBack(base, mine, theirs);
  return turned ? { kind: "again", content: turned } : { kind: "theirs", overruled: true };
}

/** What a change from `from` to `to` makes of an object that is `shown` by now; undefined: others have changed the same. */
export function turnedBack(
  from: Content | null,
  to: Content | null,
  shown: Content | null,
): Content | null | undefined {
  if (sameContent(shown, from)) return to;
  if (!from || !to || !shown) return undefined;
  return merge(from, to, shown) ?? undefined;
}

/** Both sides' changes together; null if both changed the same member. */
function merge(base: Content, mine: Content, theirs: Content): Content | null {
  const merged: { -readonly [Key in keyof Content]: Content[Key] } = { ...theirs };
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- it says that both sides are the same member
  const mergeMember = <Key extends keyof Content>(key: Key): boolean => {
    const same = SAME[key];
    const [changedHere, changedThere] = [!same(base[key], mine[key]), !same(base[key], theirs[key])];
    if (changedHere) merged[key] = mine[key];
    return !changedHere || !changedThere || same(mine[key], theirs[key]);
  };
  return (Object.keys(SAME) as (keyof Content)[]).every(mergeMember) ? merged : null;
}

const equal = <T>(a: T, b: T): boolean => a === b;

const SAME: { readonly [Key in keyof Content]: (a: Content[Key], b: Content[Key]) => boolean } = {
  shape: sameShape,
  z: equal,
  name: equal,
  text: equal,
  class: equal,
  color: sameColor,
  foreign: (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b),
};

export function sameContent(a: Content | null, b: Content | null): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  return (Object.keys(SAME) as (keyof Content)[]).every((key) =>
    (SAME[key] as (a: unknown, b: unknown) => boolean)(a[key], b[key]),
  );
}

function sameColor(a: Color | null, b: Color | null): boolean {
  return a === b || (a !== null && b !== null && a.every((part, i) => part === b[i]));
}

/** Says whose version it is: on the other's screen, too. */
function copyName({ name, shape }: Content, me: string): string {
  const version = ` ${me ? t("annotate.versionOf", { name: me.slice(0, NAME_LENGTH / 2) }) : t("annotate.mine")}`;
  return (name || shape.kind).slice(0, NAME_LENGTH - version.length) + version;
}
