import { Group, Paper, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { EdgeStatus } from "@wavescope/core/wire/accounts/edgeClient";
import { decimal, groupedNumber, withUnit } from "@wavescope/core/geometry/figures";
import { bytesLabel } from "../ui/format";
import { t } from "@wavescope/core/i18n/i18n";
import styles from "./edge.module.css";
import { ofOrigin, rates, ratios, served } from "./history";
import { type Line, Plot, type Colour } from "./Plot";

const count = (value: number): string =>
  value < 10 && value % 1 ? decimal(value.toFixed(1)) : groupedNumber(Math.round(value));
const perSecond = (value: number): string => t("edge.rate", { bytes: bytesLabel(value) });

/** The edge as a whole, over time. */
export function EdgePlots({ status }: { readonly status: EdgeStatus }) {
  const { samples, origins } = status;
  const times = samples.map((sample) => sample.at);
  const traffic: Line[] = [
    { label: t("edge.served"), colour: "gray", values: rates(samples, served) },
    ...origins.map(({ number }) => ({
      label: t("edge.origin", { number }),
      colour: originColour(number),
      values: rates(
        samples,
        ofOrigin(number, (one) => one.bytes),
      ),
    })),
  ];
  const hit: Line[] = [
    { label: t("edge.fromOrigin"), colour: "orange", values: rates(samples, (one) => one.misses) },
    { label: t("edge.fromDisk"), colour: "blue", values: rates(samples, (one) => one.disk_hits) },
    { label: t("edge.fromMemory"), colour: "teal", values: rates(samples, (one) => one.memory_hits) },
    { label: t("edge.hitRatio"), colour: "gray", values: ratios(samples), ratio: true },
  ];
  const queue: Line[] = [
    { label: t("edge.waiting"), colour: "orange", values: samples.map((one) => one.waiting) },
    { label: t("edge.coalesced"), colour: "teal", values: rates(samples, (one) => one.coalesced) },
  ];
  const connections: Line[] = [
    { label: t("edge.requests"), colour: "blue", values: samples.map((one) => one.requests) },
    { label: t("edge.pushes"), colour: "teal", values: samples.map((one) => one.pushes) },
    { label: t("edge.websockets"), colour: "grape", values: samples.map((one) => one.websockets) },
  ];
  return (
    <div className={styles.grid}>
      <Panel title={t("edge.hits")} unit={t("edge.hitsUnit")}>
        <Plot label={t("edge.hits")} times={times} lines={hit} format={count} stack />
      </Panel>
      <Panel title={t("edge.traffic")} unit={t("edge.servedUnit")}>
        <Plot label={t("edge.traffic")} times={times} lines={traffic} format={perSecond} />
      </Panel>
      <Cache status={status} times={times} />
      <Panel title={t("edge.queue")} unit={t("edge.queueUnit")}>
        <Plot label={t("edge.queue")} times={times} lines={queue} format={count} />
      </Panel>
      <Panel title={t("edge.connections")}>
        <Plot label={t("edge.connections")} times={times} lines={connections} format={count} />
      </Panel>
      {origins.length > 1 && <Scores status={status} times={times} />}
    </div>
  );
}

interface Timed {
  readonly status: EdgeStatus;
  readonly times: readonly number[];
}

function Cache({ status, times }: Timed) {
  const { samples, memory_limit, disk_limit, policy } = status;
  const share = (bytes: number, limit: number): number | null => (limit > 0 ? bytes / limit : null);
  const lines: Line[] = [
    { label: t("edge.memory"), colour: "teal", values: samples.map((one) => share(one.memory_bytes, memory_limit)) },
    { label: t("edge.disk"), colour: "blue", values: samples.map((one) => share(one.disk_bytes, disk_limit)) },
  ];
  const last = samples.at(-1);
  const used = (bytes: number, limit: number): string =>
    limit > 0 ? t("edge.cacheOf", { used: bytesLabel(bytes), limit: bytesLabel(limit) }) : t("edge.none");
  return (
    <Panel title={t("edge.cacheFull")} unit={t("edge.policy", { policy })}>
      {last && (
        <dl className={styles.facts}>
          <Fact name={t("edge.memory")} value={used(last.memory_bytes, memory_limit)} />
          <Fact name={t("edge.disk")} value={used(last.disk_bytes, disk_limit)} />
          {status.damaged > 0 && <Fact name={t("edge.damaged")} value={groupedNumber(status.damaged)} />}
          {status.dropped > 0 && <Fact name={t("edge.dropped")} value={groupedNumber(status.dropped)} />}
        </dl>
      )}
      <Plot
        label={t("edge.cacheFull")}
        times={times}
        lines={lines}
        format={(value) => withUnit(Math.round(value * 100), "%")}
        most={1}
      />
    </Panel>
  );
}

function Scores({ status, times }: Timed) {
  const lines = status.origins.map(({ number }) => ({
    label: t("edge.origin", { number }),
    colour: originColour(number),
    values: status.samples.map(ofOrigin(number, (one) => one.score)),
  }));
  return (
    <Panel title={t("edge.score")} unit={t("edge.scoreUnit")}>
      <Plot label={t("edge.score")} times={times} lines={lines} format={perSecond} />
    </Panel>
  );
}

export function Fact({ name, value }: { readonly name: string; readonly value: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

interface PanelProps {
  readonly title: string;
  readonly unit?: string;
  readonly children: ReactNode;
}

export function Panel({ title, unit, children }: PanelProps) {
  return (
    <Paper component="section" withBorder p="md" miw={0}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        {unit && (
          <Text size="xs" c="dimmed">
            {unit}
          </Text>
        )}
      </Group>
      {children}
    </Paper>
  );
}

const COLOURS: readonly Colour[] = ["blue", "orange", "teal", "grape", "red", "lime", "cyan"];

/** The colour of an origin in all plots. */
const originColour = (number: number): Colour => COLOURS[number % COLOURS.length]!;
