import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { entriesOf } from "@wavescope/core/tiles/channels/mix";
import { mixOf } from "@wavescope/core/tiles/channels/settings";
import type { SavedMix } from "@wavescope/core/wire/catalog/mixesClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { t } from "@wavescope/core/i18n/i18n";
import { notifyFailure } from "../../ui/notice";
import type { ChannelMixing } from "./channelMixing";
import { adding, renaming } from "./savedMixes";

/** The mix that is shown gets a name, or a saved one another. */
export interface Naming {
  /** Null: the mix that is shown is saved. */
  readonly renamed: string | null;
  readonly name: string;
}

interface Props {
  readonly mixing: ChannelMixing;
  readonly naming: Naming;
  readonly onClose: () => void;
}

const LONGEST = 100;

export function MixName({ mixing, naming, onClose }: Props) {
  const [name, setName] = useState(naming.name);
  const submit = async (): Promise<void> => {
    const tidy = name.trim();
    if (!tidy) return;
    const channels = entriesOf(mixOf(mixing.settings())) as SavedMix["channels"];
    try {
      await mixing.save(naming.renamed === null ? adding({ name: tidy, channels }) : renaming(naming.renamed, tidy));
      onClose();
    } catch (error) {
      notifyFailure(t("light.mixNotSaved"), explain(error));
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault(); // the panel stays open
        onClose();
      }}
    >
      <Group gap={4} wrap="nowrap">
        <TextInput
          flex={1}
          miw={0}
          size="xs"
          autoFocus
          maxLength={LONGEST}
          aria-label={t("light.mixName")}
          placeholder={t("light.mixName")}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" disabled={name.trim() === ""}>
          {t("common.save")}
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
      </Group>
    </form>
  );
}
