import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { mixByNames, namedOf } from "@wavescope/core/tiles/channels/settings";
import { explain } from "@wavescope/core/wire/http/explain";
import { type Manifest, allows } from "@wavescope/core/wire/slides/manifest";
import { t } from "@wavescope/core/i18n/i18n";
import { useMay } from "../../accounts/account";
import { notify, notifyFailure, notifyWithUndo } from "../../ui/notice";
import type { ChannelMixing, Choice } from "./channelMixing";
import { copiedMix, copyMix } from "./copiedMix";
import type { Naming } from "./MixName";
import { type Edit, inserting, moving, removing } from "./savedMixes";

interface Props {
  readonly mixing: ChannelMixing;
  readonly manifest: Manifest;
  readonly chosen: Choice | null;
  readonly onName: (naming: Naming) => void;
}

/** What can be done with the mix that is shown, and with the saved one that is chosen. */
export function MixMenu({ mixing, manifest, chosen, onName }: Props) {
  const annotator = useMay("annotator");
  const mayEdit = annotator && allows(manifest, "edit mixes");
  const saved = mayEdit && chosen?.kind === "saved" ? chosen.name : null;
  const edit = async (change: Edit): Promise<void> => {
    try {
      await mixing.save(change);
    } catch (error) {
      notifyFailure(t("light.mixNotSaved"), explain(error));
    }
  };
  const remove = async (name: string): Promise<void> => {
    const mixes = mixing.state.getState().saved?.mixes ?? [];
    const at = mixes.findIndex((one) => one.name === name);
    await edit(removing(name));
    notifyWithUndo(t("light.mixDeleted", { name }), () => void edit(inserting(mixes[at]!, at)));
  };
  const copy = (): void => {
    copyMix(namedOf(mixing.settings()));
    notify(t("light.mixCopied"));
  };
  const paste = (): void => {
    const mix = mixByNames(mixing.settings(), copiedMix());
    if (mix.length > 0) mixing.choose(mix);
    else notify(t("light.noSuchChannels"));
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" aria-label={t("light.mixActions")}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayEdit && (
          <Menu.Item onClick={() => onName({ renamed: null, name: saved ?? "" })}>{t("light.saveMix")}</Menu.Item>
        )}
        {saved !== null && (
          <>
            <Menu.Item onClick={() => onName({ renamed: saved, name: saved })}>{t("common.rename")}</Menu.Item>
            <Menu.Item onClick={() => void edit(moving(saved, -1))}>{t("light.mixUp")}</Menu.Item>
            <Menu.Item onClick={() => void edit(moving(saved, 1))}>{t("light.mixDown")}</Menu.Item>
            <Menu.Item onClick={() => void remove(saved)}>{t("common.delete")}</Menu.Item>
            <Menu.Divider />
          </>
        )}
        <Menu.Item onClick={copy}>{t("light.copyMix")}</Menu.Item>
        <Menu.Item onClick={paste} disabled={copiedMix().length === 0}>
          {t("light.pasteMix")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
