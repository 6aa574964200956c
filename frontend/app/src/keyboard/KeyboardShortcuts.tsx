import { Switch, Title } from "@mantine/core";
import { useStore } from "zustand";
import { panelState, showKeyboardMap, setKeysEverywhere } from "../microscope/panelState";
import type { Command, SlideContext } from "../microscope/parts";
import { commandOf } from "./keyboard";
import { keyMap } from "../ui/keys/keyMap";
import { withKeys } from "../ui/keys/withKeys";
import { groupsOf } from "./groups";
import { KeyCaps } from "./KeyCaps";
import styles from "./keyboard.module.css";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../ui/Dialog";

/** Every key, made of the list of commands: it cannot say anything else than what the keys do. */
export function KeyboardShortcuts({
  context,
  list,
}: {
  readonly context: SlideContext;
  readonly list: readonly Command[];
}) {
  const opened = useStore(panelState, (state) => state.keyboardMap);
  const everywhere = useStore(panelState, (state) => state.keysEverywhere);
  const map = useStore(keyMap);
  const usable = withKeys(list, map).flatMap((command) => {
    const keys = command.keys.filter((name) => commandOf(name, context, list)?.id === command.id);
    return keys.length > 0 ? [{ ...command, keys }] : [];
  });
  return (
    <Dialog opened={opened} onClose={() => showKeyboardMap(false)} title={t("keyboard.shortcuts")} size="xl">
      <div className={styles.map} data-testid="keyboard-map">
        {groupsOf(usable).map(({ group, members }) => (
          <section key={group} className={styles.group} aria-label={group}>
            <Title order={3} size="h6">
              {group}
            </Title>
            <dl className={styles.keys}>
              {members.map(({ id, title, keys }) => (
                <div key={id} className={styles.key}>
                  <dt>{title}</dt>
                  <dd>
                    {keys.map((name) => (
                      <KeyCaps key={name} name={name} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Switch
        mt="lg"
        label={t("keyboard.lettersEverywhere")}
        description={t("keyboard.lettersEverywhereHint")}
        checked={everywhere}
        onChange={(event) => setKeysEverywhere(event.currentTarget.checked)}
      />
    </Dialog>
  );
}
