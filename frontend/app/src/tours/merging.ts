/** Two people have changed one tour: their changes together, field by field. Pure. */
import type { Tour, Waypoint } from "@wavescope/core/wire/catalog/toursClient";
import { freeId } from "./editing";

/** Both have changed the same field, each in another way. */
class Contradiction extends Error {
  override readonly name = "Contradiction";
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The value of a field. Throws Contradiction. */
function field<T>(base: T, mine: T, theirs: T): T {
  if (same(mine, base) || same(mine, theirs)) return theirs;
  if (same(theirs, base)) return mine;
  throw new Contradiction();
}

/** `base` with the changes of both; null where they contradict each other. Stops that both have added are both kept. */
export function merged(base: Tour, mine: Tour, theirs: Tour): Tour | null {
  try {
    const own = renamed(base, mine, theirs);
    return {
      title: field(base.title, own.title, theirs.title),
      text: field(base.text, own.text, theirs.text),
      waypoints: ordered(base, own, theirs).flatMap((id) => stop(find(base, id), find(own, id), find(theirs, id))),
    };
  } catch (error) {
    if (error instanceof Contradiction) return null;
    throw error;
  }
}

const find = ({ waypoints }: Tour, id: string): Waypoint | null => waypoints.find((one) => one.id === id) ?? null;

/** Mine, where stops that I have added have ids that none of theirs has. */
function renamed(base: Tour, mine: Tour, theirs: Tour): Tour {
  return mine.waypoints.reduce((tour, waypoint) => {
    const { id } = waypoint;
    const other = find(theirs, id);
    if (find(base, id) || !other || same(other, waypoint)) return tour;
    const fresh = freeId([...tour.waypoints, ...theirs.waypoints]);
    return { ...tour, waypoints: tour.waypoints.map((one) => (one.id === id ? { ...one, id: fresh } : one)) };
  }, mine);
}

function stop(base: Waypoint | null, mine: Waypoint | null, theirs: Waypoint | null): Waypoint[] {
  if (!base || !mine || !theirs) {
    const one = field(base, mine, theirs);
    return one ? [one] : [];
  }
  const of = <K extends keyof Waypoint>(key: K): Waypoint[K] => field(base[key], mine[key], theirs[key]);
  return [
    {
      id: base.id,
      title: of("title"),
      text: of("text"),
      slide: of("slide"),
      view: of("view"),
      annotations: of("annotations"),
      marks: of("marks"),
    },
  ];
}

/** The ids of all stops: in the order of who has changed it; what the other has added comes after the stop it was added to. */
function ordered(base: Tour, mine: Tour, theirs: Tour): string[] {
  const ids = ({ waypoints }: Tour): string[] => waypoints.map(({ id }) => id);
  const common = new Set(ids(base).filter((id) => find(mine, id) && find(theirs, id)));
  const [was, own, their] = [base, mine, theirs].map((tour) => ids(tour).filter((id) => common.has(id)));
  const mineLeads = same(field(was, own, their), own) && !same(own, their);
  const [first, second] = mineLeads ? [mine, theirs] : [theirs, mine];
  return ids(second).reduce((list, id, i, all) => {
    if (list.includes(id)) return list;
    const after = i === 0 ? -1 : list.indexOf(all[i - 1]!);
    return list.toSpliced(after + 1, 0, id);
  }, ids(first));
}
