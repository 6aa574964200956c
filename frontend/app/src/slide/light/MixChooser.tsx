import { ActionIcon, Group, Select, Text, Tooltip } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { explain } from "@wavescope/core/wire/http/explain";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { t } from "@wavescope/core/i18n/i18n";
import { notifyFailure } from "../../ui/notice";
import type { ChannelMixing, Choice } from "./channelMixing";
import { MixMenu } from "./MixMenu";
import { MixName, type Naming } from "./MixName";

interface Props {
  readonly mixing: ChannelMixing;
  readonly manifest: Manifest;
}

/** Mixes to choose: those saved for the slide, and groups of its channels. */
export function MixChooser({ mixing, manifest }: Props) {
  useStore(mixing.light.state);
  useStore(mixing.state);
  const [naming, setNaming] = useState<Naming | null>(null);
  useEffect(() => {
    mixing.load().catch((error: unknown) => notifyFailure(t("light.mixesNotRead"), explain(error)));
  }, [mixing]);
  const choices = mixing.choices();
  const chosen = mixing.chosen();
  const choose = (value: string | null): void => {
    const choice = choices.find((one) => valueOf(one) === value);
    if (choice) mixing.choose(choice.mix);
  };
  return (
    <>
      <Group gap={4} wrap="nowrap" data-testid="mixes">
        <Text size="sm" fw={500} flex={1}>
          {t("light.mix")}
        </Text>
        {choices.length > 0 && (
          <>
            <Tooltip label={t("light.previousMix")}>
              <ActionIcon variant="default" onClick={() => mixing.step(-1)} aria-label={t("light.previousMix")}>
                <IconChevronLeft size={16} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label={t("light.nextMix")}>
              <ActionIcon variant="default" onClick={() => mixing.step(1)} aria-label={t("light.nextMix")}>
                <IconChevronRight size={16} />
              </ActionIcon>
            </Tooltip>
          </>
        )}
        <MixMenu mixing={mixing} manifest={manifest} chosen={chosen} onName={setNaming} />
      </Group>
      {choices.length > 0 && (
        <Select
          size="xs"
          aria-label={t("light.mix")}
          title={chosen?.name}
          placeholder={t("light.chooseMix")}
          data={dataOf(choices)}
          value={chosen && valueOf(chosen)}
          onChange={choose}
          comboboxProps={{ withinPortal: true }}
        />
      )}
      {naming && <MixName mixing={mixing} naming={naming} onClose={() => setNaming(null)} />}
    </>
  );
}

const valueOf = ({ kind, name }: Choice): string => `${kind} ${name}`;

function dataOf(choices: readonly Choice[]) {
  const items = (kind: Choice["kind"]) =>
    choices.filter((one) => one.kind === kind).map((one) => ({ value: valueOf(one), label: one.name }));
  return [
    { group: t("light.savedMixes"), items: items("saved") },
    { group: t("light.groups"), items: items("group") },
  ].filter((group) => group.items.length > 0);
}
