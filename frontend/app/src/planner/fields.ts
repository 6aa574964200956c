/** Which numbers the page shows, how a slider moves them, and in which unit. */
import { groupedNumber } from "@wavescope/core/geometry/figures";
import type { Address } from "@wavescope/core/i18n/i18n";
import { t } from "@wavescope/core/i18n/i18n";
import type { Goal } from "./formulas/search";
import type { Equipment, Prices, Situation } from "./formulas/situation";
import type { PlannerNumbers } from "@wavescope/core/wire/catalog/plannerClient";

/** What the user sets. */
export interface Settings {
  readonly given: Situation;
  readonly bought: Equipment;
  readonly prices: Prices;
  /** Of the prices: an ISO 4217 code. */
  readonly currency: string;
  readonly goalSeconds: number;
  /** Of 95 % of the answers; 0: no such goal. */
  readonly goal95Seconds: number;
  readonly mostBusy: number;
}

export interface Field {
  readonly label: Address;
  readonly unit: string;
  /** Of the slider, in the unit shown. A number typed may be outside. */
  readonly low: number;
  readonly high: number;
  /** The slider moves by factors. */
  readonly log?: boolean;
  readonly whole?: boolean;
  /** The value shown is this many times the one meant. */
  readonly factor?: number;
  readonly hint?: Address;
  /** What the service allows, in its own unit. */
  readonly bounds: (numbers: PlannerNumbers) => Bounds;
  readonly get: (settings: Settings) => number;
  readonly set: (settings: Settings, value: number) => Settings;
}

export interface Bounds {
  readonly least: number;
  readonly greatest: number;
}

type Look = Omit<Field, "get" | "set" | "bounds">;

const ofSituation = (name: keyof Situation, look: Look): Field => ({
  ...look,
  bounds: (numbers) => numbers.situation[name]!,
  get: ({ given }) => given[name],
  set: (settings, value) => ({ ...settings, given: { ...settings.given, [name]: value } }),
});
const ofEquipment = (name: keyof Equipment, look: Look): Field => ({
  ...look,
  bounds: (numbers) => numbers.equipment[name]!,
  get: ({ bought }) => bought[name],
  set: (settings, value) => ({ ...settings, bought: { ...settings.bought, [name]: value } }),
});
const HIGHEST_PRICE = 1e12;
const ofPrices = (name: keyof Prices, label: Address): Field => ({
  label,
  unit: "",
  low: 0,
  high: name.endsWith("_gb") ? 1 : 1000,
  bounds: () => ({ least: 0, greatest: HIGHEST_PRICE }),
  get: ({ prices }) => prices[name],
  set: (settings, value) => ({ ...settings, prices: { ...settings.prices, [name]: value } }),
});
const GOALS = { goalSeconds: "mean_seconds", goal95Seconds: "p95_seconds", mostBusy: "most_busy" } as const;
const ofGoal = (name: "goalSeconds" | "goal95Seconds" | "mostBusy", look: Look): Field => ({
  ...look,
  bounds: ({ goal }) => goal[GOALS[name]]!,
  get: (settings) => settings[name],
  set: (settings, value) => ({ ...settings, [name]: value }),
});

const mbit = (label: Address): Look => ({ label, unit: t("planner.mbit"), low: 1, high: 10_000, log: true });
const ms = (label: Address, high: number): Look => ({ label, unit: "ms", low: 0, high });
const share = (label: Address): Look => ({ label, unit: "%", low: 0, high: 100, factor: 100 });
const count = (label: Address, high: number): Look => ({ label, unit: "", low: 1, high, log: true, whole: true });

export interface FieldGroup {
  readonly title: Address;
  readonly fields: readonly Field[];
  /** Closed at first. */
  readonly closed?: boolean;
  /** Its numbers are amounts of money. */
  readonly priced?: boolean;
}

export const GROUPS: readonly FieldGroup[] = [
  {
    title: "planner.demand",
    fields: [
      ofSituation("clients", count("planner.clients", 100_000)),
      ofSituation("sites", count("planner.sites", 1000)),
      ofSituation("away", share("planner.awayShare")),
    ],
  },
  {
    title: "planner.goal",
    fields: [
      ofGoal("goalSeconds", { label: "planner.goalSeconds", unit: "s", low: 0.02, high: 10, log: true }),
      ofGoal("goal95Seconds", { label: "planner.goal95Seconds", unit: "s", low: 0, high: 10, hint: "planner.noGoal" }),
      ofGoal("mostBusy", { ...share("planner.mostBusy"), low: 30 }),
    ],
  },
  {
    title: "planner.equipment",
    fields: [
      ofEquipment("nodes", count("planner.nodes", 200)),
      ofEquipment("node_gb", { label: "planner.nodeCache", unit: "GB", low: 0, high: 500 }),
      ofEquipment("edge_gb", {
        ...{ label: "planner.edgeCache", unit: "GB", low: 0, high: 500, hint: "planner.edgeCacheZero" },
      }),
    ],
  },
  {
    title: "planner.links",
    fields: [
      ofSituation("link_mbit", mbit("planner.linkMbit")),
      ofSituation("link_ms", ms("planner.linkMs", 400)),
      ofSituation("away_mbit", mbit("planner.awayMbit")),
      ofSituation("away_ms", ms("planner.awayMs", 400)),
    ],
  },
  {
    title: "planner.slidesGroup",
    fields: [
      ofSituation("slides", count("planner.slides", 100_000)),
      ofSituation("slide_gb", { label: "planner.slideGb", unit: "GB", low: 0.05, high: 10, log: true }),
      ofSituation("first_views", share("planner.firstViews")),
    ],
  },
  {
    title: "planner.advanced",
    closed: true,
    fields: [
      ofSituation("full_bytes", {
        label: "planner.fullBytes",
        unit: "kB",
        low: 10,
        high: 5000,
        log: true,
        factor: 1e-3,
      }),
      ofSituation("fine_bytes", {
        label: "planner.fineBytes",
        unit: "kB",
        low: 1,
        high: 1000,
        log: true,
        factor: 1e-3,
      }),
      ofSituation("think_seconds", { label: "planner.think", unit: "s", low: 1, high: 60 }),
      ofSituation("node_cores", { ...count("planner.nodeCores", 64) }),
      ofSituation("node_cpu", { ...ms("planner.nodeCpu", 100), factor: 1000 }),
      ofSituation("edge_cpu", { ...ms("planner.edgeCpu", 100), factor: 1000 }),
      ofSituation("store", { ...ms("planner.storeTime", 500), factor: 1000 }),
      ofSituation("store_rate", { label: "planner.storeRate", unit: "", low: 10, high: 100_000, log: true }),
      ofSituation("lan_mbit", mbit("planner.lan")),
      ofSituation("lan_ms", ms("planner.lanMs", 50)),
      ofSituation("popularity", { label: "planner.popularity", unit: "", low: 0, high: 2 }),
    ],
  },
  {
    title: "planner.prices",
    closed: true,
    priced: true,
    fields: [
      ofPrices("node", "planner.priceNode"),
      ofPrices("node_gb", "planner.priceNodeGb"),
      ofPrices("edge", "planner.priceEdge"),
      ofPrices("edge_gb", "planner.priceEdgeGb"),
    ],
  },
];

export const goalOf = ({ goalSeconds, goal95Seconds, mostBusy }: Settings): Goal => ({
  meanSeconds: goalSeconds,
  p95Seconds: goal95Seconds,
  mostBusy,
});

export const labelOf = ({ label, unit }: Field): string => (unit ? `${t(label)}, ${unit}` : t(label));

/** Why a number that was typed, in the unit shown, is none for this field; null: it is one. */
export function rejectionOf(field: Field, typed: number | string, numbers: PlannerNumbers): string | null {
  const { least, greatest } = field.bounds(numbers);
  const factor = field.factor ?? 1;
  const value = typeof typed === "number" ? typed : NaN;
  const inside = value >= least * factor && value <= greatest * factor;
  if (inside && (!field.whole || Number.isInteger(value))) return null;
  const [from, to] = [least, greatest].map((bound) => groupedNumber(Number((bound * factor).toPrecision(6)))) as [
    string,
    string,
  ];
  return t(field.whole ? "planner.wholeBetween" : "planner.between", { least: from, greatest: to });
}
