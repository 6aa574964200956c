import { Center, Loader, Paper, SegmentedControl, Text, Title, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import { type Prediction, predict } from "./formulas/response";
import { breaksFirst, cheapest, meets, obstacle } from "./formulas/search";
import type { Equipment, Prices, Situation } from "./formulas/situation";
import { type PlannerNumbers, readPlanner } from "@wavescope/core/wire/catalog/plannerClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { PageHeader } from "../accounts/PageHeader";
import { ErrorPage } from "../ui/ErrorPage";
import { usePageTitle } from "../ui/usePageTitle";
import page from "../ui/page.module.css";
import { Answers } from "./Answers";
import { Bars } from "./Bars";
import { ExperimentsPanel } from "./experiments/ExperimentsPanel";
import { GROUPS, type FieldGroup, type Settings, goalOf } from "./fields";
import { CURRENCIES } from "./figures";
import { NumberField } from "./NumberField";
import { type Cheapest, CheapestPlan, Outcome } from "./Outcome";
import styles from "./planner.module.css";

type Part = "plan" | "experiments";

/** How many nodes, which edge, which link: sliders that show the effect at once (SI26). */
export function PlannerPage() {
  usePageTitle(t("planner.planner"));
  const [part, setPart] = useState<Part>("plan");
  const { data, error } = useQuery({
    queryKey: ["planner"],
    queryFn: ({ signal }) => readPlanner(signal),
    staleTime: Infinity,
  });
  return (
    <div className={page.page} data-testid="planner-page">
      <PageHeader title={t("planner.plannerInto")} />
      <main className={page.main}>
        {data ? (
          <>
            <SegmentedControl
              mb="md"
              value={part}
              onChange={(value) => setPart(value)}
              aria-label={t("planner.plannerInto")}
              data={[
                { value: "plan", label: t("planner.planTab") },
                { value: "experiments", label: t("planner.experiments") },
              ]}
            />
            {part === "plan" ? <Planner numbers={data} /> : <ExperimentsPanel possible={data.simulation} />}
          </>
        ) : (
          <Center mih="60dvh">
            {error ? (
              <ErrorPage title={t("planner.planner")} reason={explain(error)} kind="waiting" />
            ) : (
              <Loader aria-label={t("planner.loading")} />
            )}
          </Center>
        )}
      </main>
    </div>
  );
}

export function firstSettings({ situation, equipment, goal, prices }: PlannerNumbers): Settings {
  const defaults = (numbers: PlannerNumbers["situation"]): Record<string, number> =>
    Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, number.default]));
  return {
    given: defaults(situation) as unknown as Situation,
    bought: defaults(equipment) as unknown as Equipment,
    prices: { ...prices } satisfies Prices,
    currency: CURRENCIES[0]!,
    goalSeconds: goal.mean_seconds!.default,
    goal95Seconds: goal.p95_seconds!.default,
    mostBusy: goal.most_busy!.default,
  };
}

export function Planner({ numbers }: { readonly numbers: PlannerNumbers }) {
  const [settings, setSettings] = useState(() => firstSettings(numbers));
  const shown = useDeferredValue(settings); // a slider never waits for the plots
  const { given, bought, mostBusy } = shown;
  const goal = goalOf(shown);
  const found: Prediction = predict(given, bought);
  const limit = breaksFirst(given, bought, goal);
  const best = useCheapest(shown);
  return (
    <div className={styles.layout}>
      <Paper withBorder p="md" component="form" onSubmit={(event) => event.preventDefault()}>
        {GROUPS.map((group) => (
          <Fields key={group.title} group={group} settings={settings} numbers={numbers} onChange={setSettings} />
        ))}
      </Paper>
      <div className={styles.results}>
        <Outcome settings={shown} found={found} met={meets(goal, found)} limit={limit} />
        <CheapestPlan
          settings={shown}
          cheapest={best}
          onApply={(plan) => setSettings((before) => ({ ...before, bought: plan }))}
        />
        <Answers settings={settings} goodFor={limit.clients} numbers={numbers} />
        <Paper component="section" withBorder p="md" className={styles.wide}>
          <Title order={2} size="h5" mb="sm">
            {t("planner.busy")}{" "}
            <Text span size="xs" c="dimmed">
              {t("planner.busyUnit")}
            </Text>
          </Title>
          <Bars parts={found.parts} most={mostBusy} />
        </Paper>
      </div>
    </div>
  );
}

interface FieldsProps {
  readonly group: FieldGroup;
  readonly settings: Settings;
  readonly numbers: PlannerNumbers;
  readonly onChange: (change: (before: Settings) => Settings) => void;
}

function Fields({ group, settings, numbers, onChange }: FieldsProps) {
  return (
    <details className={styles.group} open={!group.closed || undefined}>
      <summary>{t(group.title)}</summary>
      {group.priced && (
        <CurrencySelect
          value={settings.currency}
          onChange={(currency) => onChange((before) => ({ ...before, currency }))}
        />
      )}
      {group.fields.map((field) => (
        <NumberField
          key={field.label}
          field={group.priced ? { ...field, unit: settings.currency } : field}
          numbers={numbers}
          value={field.get(settings)}
          onChange={(value) => onChange((before) => field.set(before, value))}
        />
      ))}
    </details>
  );
}

const PAUSE = 200;

/** Searched when the settings have not changed for a moment: it takes longer than a frame. */
function useCheapest(settings: Settings): Cheapest {
  const [found, setFound] = useState<{ readonly of: Settings; readonly cheapest: Cheapest }>();
  useEffect(() => {
    const timer = setTimeout(() => {
      const { given, prices } = settings;
      const goal = goalOf(settings);
      const plan = cheapest(given, goal, prices);
      setFound({ of: settings, cheapest: { plan, obstacle: plan ? null : obstacle(given, goal) } });
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [settings]);
  return found?.of === settings ? found.cheapest : undefined;
}

interface CurrencyProps {
  readonly value: string;
  readonly onChange: (currency: string) => void;
}

/** The currency of all prices. Nothing is converted: the prices are the user's own. */
function CurrencySelect({ value, onChange }: CurrencyProps) {
  return (
    <>
      <Text size="xs" c="dimmed">
        {t("planner.pricesHint")}
      </Text>
      <Select
        label={t("planner.currency")}
        data={CURRENCIES}
        value={value}
        onChange={(currency) => currency && onChange(currency)}
        allowDeselect={false}
        mt={6}
      />
    </>
  );
}
