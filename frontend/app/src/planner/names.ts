/** Names of the parts of the system. */
import type { Address } from "@wavescope/core/i18n/i18n";
import type { PartName } from "./formulas/response";

export const PART_NAMES: Readonly<Record<PartName, Address>> = {
  edge: "planner.edge",
  lan: "planner.lan",
  link: "planner.link",
  away: "planner.titleAway",
  nodes: "planner.nodes",
  store: "planner.store",
};

export const BREAKS: Readonly<Record<PartName, Address>> = {
  edge: "planner.breaksEdge",
  lan: "planner.breaksLan",
  link: "planner.breaksLink",
  away: "planner.breaksAway",
  nodes: "planner.breaksNodes",
  store: "planner.breaksStore",
};
