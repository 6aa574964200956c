/** What a plan is made for, and what can be bought: see shared/spec/simulator.md, SI20, and `GET /planner` for bounds and meanings. */

export interface Situation {
  readonly clients: number;
  readonly sites: number;
  readonly away: number;
  readonly link_mbit: number;
  readonly link_ms: number;
  readonly lan_mbit: number;
  readonly lan_ms: number;
  readonly away_mbit: number;
  readonly away_ms: number;
  readonly slides: number;
  readonly slide_gb: number;
  readonly popularity: number;
  readonly first_views: number;
  readonly think_seconds: number;
  readonly full_share: number;
  readonly full_bytes: number;
  readonly fine_bytes: number;
  readonly edge_cpu: number;
  readonly edge_variation: number;
  readonly node_cores: number;
  readonly node_cpu: number;
  readonly node_variation: number;
  readonly store: number;
  readonly store_variation: number;
  readonly store_rate: number;
}

export interface Equipment {
  readonly nodes: number;
  /** 0: no edge. */
  readonly edge_gb: number;
  readonly node_gb: number;
}

/** In a month, in any one currency. */
export interface Prices {
  readonly node: number;
  readonly node_gb: number;
  readonly edge: number;
  readonly edge_gb: number;
}

export const awayClients = (given: Situation): number => Math.floor(given.clients * given.away + 0.5);

/** Clients at each site; a mean. */
export const siteClients = (given: Situation): number => (given.clients - awayClients(given)) / given.sites;
