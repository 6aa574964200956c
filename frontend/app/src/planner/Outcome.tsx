import { Alert, Badge, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { groupedNumber } from "@wavescope/core/geometry/figures";
import { t } from "@wavescope/core/i18n/i18n";
import { type PartName, type Prediction, percentile } from "./formulas/response";
import { type Obstacle, priceOf } from "./formulas/search";
import { type Equipment, awayClients, siteClients } from "./formulas/situation";
import type { Settings } from "./fields";
import { countLabel, percentLabel, priceLabel, secondsLabel } from "./figures";
import { BREAKS, PART_NAMES } from "./names";
import styles from "./planner.module.css";

interface OutcomeProps {
  readonly settings: Settings;
  readonly found: Prediction;
  readonly met: boolean;
  readonly limit: { readonly clients: number; readonly part: PartName };
}

/** What the present settings come to, in words. */
export function Outcome({ settings, found, met, limit }: OutcomeProps) {
  const { given, bought, prices, currency } = settings;
  const both = awayClients(given) > 0 && siteClients(given) > 0;
  return (
    <Paper component="section" withBorder p="md" className={styles.outcome} data-testid="outcome">
      <Stack gap={4} aria-live="polite">
        <Group gap="sm">
          <Title order={2} size="h4">
            {t("planner.mean", { seconds: secondsLabel(found.mean) })}
          </Title>
          <Badge color={met ? "teal.9" : "red.8"} variant="filled">
            {met ? t("planner.goalMet") : t("planner.goalMissed")}
          </Badge>
        </Group>
        {both && (
          <Text size="sm">
            {t("planner.atSites", { seconds: secondsLabel(found.site) })},{" "}
            {t("planner.elsewhere", { seconds: secondsLabel(found.elsewhere) })}
          </Text>
        )}
        <Text size="sm">{t("planner.percentile", { seconds: secondsLabel(percentile(found, 95)) })}</Text>
        <Text size="sm">
          {limit.clients > 0
            ? t("planner.goodFor", { clients: groupedNumber(limit.clients) })
            : t("planner.goodForNone")}
          {". "}
          {t("planner.breaksFirst", { part: t(BREAKS[limit.part]) })}
        </Text>
        {bought.edge_gb > 0 && siteClients(given) > 0 && (
          <Text size="sm">{t("planner.byEdge", { percent: percentLabel(found.hits.edge) })}</Text>
        )}
        <Text size="sm">
          {t("planner.requests", { count: countLabel(found.throughput) })}.{" "}
          {t("planner.costs", { price: priceLabel(priceOf(given, bought, prices), currency) })}
        </Text>
      </Stack>
    </Paper>
  );
}

/** What the search found; undefined: it has not ended. */
export type Cheapest = { readonly plan: Equipment | null; readonly obstacle: Obstacle | null } | undefined;

interface CheapestProps {
  readonly settings: Settings;
  readonly cheapest: Cheapest;
  readonly onApply: (plan: Equipment) => void;
}

/** The plan that the search found for the goal, or what is in its way. */
export function CheapestPlan({ settings, cheapest, onApply }: CheapestProps) {
  return (
    <Paper component="section" withBorder p="md" data-testid="cheapest">
      <Title order={2} size="h5" mb={6}>
        {t("planner.cheapest")}
      </Title>
      {cheapest === undefined ? (
        <Text size="sm" c="dimmed">
          {t("planner.searching")}
        </Text>
      ) : cheapest.plan ? (
        <Plan settings={settings} plan={cheapest.plan} onApply={onApply} />
      ) : (
        cheapest.obstacle && <NotReachable obstacle={cheapest.obstacle} />
      )}
    </Paper>
  );
}

function Plan({ settings, plan, onApply }: Omit<CheapestProps, "cheapest"> & { readonly plan: Equipment }) {
  const { given, bought, prices, currency } = settings;
  const nodes = groupedNumber(plan.nodes);
  const same = plan.nodes === bought.nodes && plan.edge_gb === bought.edge_gb && plan.node_gb === bought.node_gb;
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm">
        {t("planner.nodes")}:{" "}
        {plan.node_gb > 0
          ? t("planner.nodesOf", { nodes, gigabytes: groupedNumber(plan.node_gb) })
          : t("planner.nodesWithout", { nodes })}
      </Text>
      <Text size="sm">
        {t("planner.edge")}:{" "}
        {plan.edge_gb > 0 ? t("planner.edges", { gigabytes: groupedNumber(plan.edge_gb) }) : t("planner.noEdge")}
      </Text>
      <Text size="sm">{t("planner.costs", { price: priceLabel(priceOf(given, plan, prices), currency) })}</Text>
      {same ? (
        <Text size="sm" c="dimmed">
          {t("planner.cheapestNow")}
        </Text>
      ) : (
        <Button size="xs" variant="default" mt={6} onClick={() => onApply(plan)}>
          {t("planner.apply")}
        </Button>
      )}
    </Stack>
  );
}

function NotReachable({ obstacle }: { readonly obstacle: Obstacle }) {
  const part = t(PART_NAMES[obstacle.part]);
  return (
    <Alert color="red" title={t("planner.notReachable")}>
      {obstacle.within !== null
        ? t("planner.reasonLate", { part, percent: percentLabel(obstacle.within) })
        : obstacle.busy === null
          ? t("planner.reasonSeconds", { part, seconds: secondsLabel(obstacle.seconds) })
          : t("planner.reasonBusy", { part, percent: percentLabel(obstacle.busy) })}
    </Alert>
  );
}
