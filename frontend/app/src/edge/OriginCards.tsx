import { Badge, Group, Paper, Text, Title } from "@mantine/core";
import type { EdgeOrigin, EdgeStatus, OriginSample } from "@wavescope/core/wire/accounts/edgeClient";
import { groupedNumber } from "@wavescope/core/geometry/figures";
import { bytesLabel } from "../ui/format";
import { t } from "@wavescope/core/i18n/i18n";
import { Fact } from "./EdgePlots";
import styles from "./edge.module.css";
import { ofOrigin } from "./history";
import { type Line, Plot } from "./Plot";

const COLOURS = { ok: "green", trial: "yellow", out: "red", leaving: "gray" } as const;

/** Each origin: its state, what is measured of it, and what is in flight to it. */
export function OriginCards({ status }: { readonly status: EdgeStatus }) {
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t("edge.origins")}
        </Title>
        {status.origins.length > 1 && (
          <Text size="sm" c="dimmed">
            {t("edge.assignment", { assignment: status.assignment })}
          </Text>
        )}
      </Group>
      <div className={styles.grid}>
        {status.origins.map((origin) => (
          <OriginCard key={origin.number} origin={origin} status={status} />
        ))}
      </div>
    </section>
  );
}

function OriginCard({ origin, status }: { readonly origin: EdgeOrigin; readonly status: EdgeStatus }) {
  const sample = status.samples.at(-1)?.origins.find((one) => one.number === origin.number);
  return (
    <Paper withBorder p="md" miw={0} data-testid="origin" data-state={origin.state}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="sm">
        <div>
          <Title order={3} size="h5">
            {t("edge.origin", { number: origin.number })}
          </Title>
          <Text size="sm" c="dimmed" className={styles.url}>
            {origin.url}
          </Text>
        </div>
        <Badge color={COLOURS[origin.state]} variant="light" tt="none" flex="none">
          {stateLabel(origin)}
        </Badge>
      </Group>
      {sample && <Facts origin={origin} sample={sample} />}
      <InFlight origin={origin} status={status} />
    </Paper>
  );
}

const STATES = { ok: t("edge.ok"), trial: t("edge.trial"), out: t("edge.out"), leaving: t("edge.leaving") } as const;

function stateLabel({ state, reason }: EdgeOrigin): string {
  return state === "out" && reason ? t("edge.outBecause", { reason }) : STATES[state];
}

const milliseconds = (seconds: number | null): string => (seconds === null ? "–" : `${Math.round(seconds * 1000)} ms`);
const perSecond = (bytes: number | null): string =>
  bytes === null ? "–" : t("edge.rate", { bytes: bytesLabel(bytes) });

function Facts({ origin, sample }: { readonly origin: EdgeOrigin; readonly sample: OriginSample }) {
  const failures = Object.entries(origin.failures).map(([cause, count]) =>
    t("edge.failure", { cause, count: groupedNumber(count) }),
  );
  return (
    <dl className={styles.facts}>
      <Fact name={t("edge.delay")} value={milliseconds(sample.latency)} />
      {origin.slow !== null && <Fact name={t("edge.delaySlow")} value={milliseconds(origin.slow)} />}
      <Fact name={t("edge.bandwidth")} value={perSecond(sample.bandwidth)} />
      {sample.score !== null && <Fact name={t("edge.score")} value={perSecond(sample.score)} />}
      <Fact name={t("edge.originBytes")} value={bytesLabel(sample.bytes)} />
      <Fact name={t("edge.errors")} value={failures.join(", ") || t("edge.none")} />
      {origin.hedges > 0 && (
        <Fact
          name={t("edge.hedges")}
          value={t("edge.hedgesWon", { hedges: groupedNumber(origin.hedges), won: groupedNumber(origin.hedges_won) })}
        />
      )}
      {origin.probes > 0 && (
        <Fact
          name={t("edge.probes")}
          value={t("edge.probesFailed", { probes: groupedNumber(origin.probes), failed: origin.probes_failed })}
        />
      )}
    </dl>
  );
}

/** Bytes in flight beside what the path holds; of a single origin its requests, whose bytes are not counted. */
function InFlight({ origin, status }: { readonly origin: EdgeOrigin; readonly status: EdgeStatus }) {
  const { samples } = status;
  const values = (read: (one: OriginSample) => number | null): Line["values"] =>
    samples.map(ofOrigin(origin.number, read));
  const several = samples.at(-1)?.origins.find((one) => one.number === origin.number)?.window != null;
  const times = samples.map((sample) => sample.at);
  if (!several) {
    const lines: Line[] = [{ label: t("edge.openRequests"), colour: "blue", values: values((one) => one.open) }];
    return <Plot label={t("edge.openRequests")} times={times} lines={lines} format={groupedNumber} />;
  }
  const product = (one: OriginSample): number | null =>
    one.bandwidth === null || one.latency === null ? null : one.bandwidth * one.latency;
  const lines: Line[] = [
    { label: t("edge.inFlight"), colour: "blue", values: values((one) => one.in_flight) },
    { label: t("edge.bandwidthDelay"), colour: "teal", values: values(product) },
    { label: t("edge.window"), colour: "gray", values: values((one) => one.window), dashed: true },
  ];
  return <Plot label={t("edge.inFlight")} times={times} lines={lines} format={bytesLabel} />;
}
