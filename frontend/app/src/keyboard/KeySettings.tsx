import { ActionIcon, Button, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconPlus, IconRotate, IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { keyLabel } from "../ui/keys/keyCaps";
import { type KeyMap, type Listed, keyMap, listed } from "../ui/keys/keyMap";
import { withKeys } from "../ui/keys/withKeys";
import { keyName } from "../ui/keys/keyNames";
import { found, groupsOf } from "./groups";
import { KeyCaps } from "./KeyCaps";
import { added, assigned, conflictsOf, hasFixedKeys, isFixed, isHeldOnly, reset, swapped } from "./keyChanges";
import styles from "./keyboard.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** Null: no command waits for a key. `key`: one that was pressed and is another command's, or cannot be used; `second`: it stands beside the first one. */
type Waiting = { readonly id: string; readonly key: string | null; readonly second: boolean } | null;

const store = (map: KeyMap): void => keyMap.setState(map, true);

/** Every command of the page with its keys, each of which can be changed by pressing another (PG88). */
export function KeySettings() {
  const { commands } = useStore(listed);
  const map = useStore(keyMap);
  const [query, setQuery] = useState("");
  const [waiting, setWaiting] = useState<Waiting>(null);
  const now = withKeys(commands, map);
  const groups = groupsOf(found(now, query));
  return (
    <Stack gap="sm" data-testid="key-settings">
      <Text size="sm" c="dimmed">
        {t("keyboard.changeHint")}
      </Text>
      <Group gap="xs">
        <TextInput
          flex="1 1 200px"
          type="search"
          leftSection={<IconSearch size={16} />}
          placeholder={t("keyboard.searchPlaceholder")}
          aria-label={t("keyboard.searchPlaceholder")}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Button variant="default" disabled={Object.keys(map).length === 0} onClick={() => store({})}>
          {t("keyboard.resetAll")}
        </Button>
      </Group>
      {groups.map(({ group, members }) => (
        <section key={group} aria-label={group}>
          <Title order={3} size="h6">
            {group}
          </Title>
          <ul className={styles.changes}>
            {members.map((command) => (
              <KeyRow
                key={command.id}
                command={command}
                waiting={waiting?.id === command.id ? waiting : null}
                onWait={setWaiting}
              />
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 && <Text size="sm">{t("keyboard.nothingFound")}</Text>}
    </Stack>
  );
}

interface RowProps {
  readonly command: Listed;
  readonly waiting: Waiting;
  readonly onWait: (waiting: Waiting) => void;
}

function KeyRow({ command, waiting, onWait }: RowProps) {
  const { commands } = useStore(listed);
  const map = useStore(keyMap);
  const button = useRef<HTMLButtonElement>(null);
  const { id, title, keys } = command;
  const change = (changed: KeyMap): void => {
    store(changed);
    onWait(null);
    button.current?.focus();
  };
  const press = (event: React.KeyboardEvent): void => {
    if (!waiting || event.key === "Tab" || isHeldOnly(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return onWait(null);
    const key = keyName(event.nativeEvent, event.getModifierState("AltGraph"));
    if (isFixed(key) || conflictsOf(commands, map, id, key).length > 0) onWait({ ...waiting, key });
    else change((waiting.second ? added : assigned)(commands, map, id, key));
  };
  const others = keys.flatMap((key) => (id in map ? conflictsOf(commands, map, id, key) : []));
  const text = keys.length > 0 ? keys.map(keyLabel).join(", ") : t("keyboard.noKey");
  const caps = keys.length > 0 ? keys.map((key) => <KeyCaps key={key} name={key} />) : t("keyboard.noKey");
  return (
    <li
      className={styles.change}
      data-command={id}
      onBlur={(event) => {
        if (waiting && !event.currentTarget.contains(event.relatedTarget)) onWait(null);
      }}
    >
      <span className={styles.changeTitle}>{title}</span>
      {keys.length === 1 && !waiting && !hasFixedKeys(command) && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("keyboard.addKeyOf", { title })}
          onClick={() => {
            onWait({ id, key: null, second: true });
            button.current?.focus();
          }}
        >
          <IconPlus size={16} />
        </ActionIcon>
      )}
      {id in map && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("keyboard.resetKeysOf", { title })}
          onClick={() => change(reset(commands, map, id))}
        >
          <IconRotate size={16} />
        </ActionIcon>
      )}
      {hasFixedKeys(command) ? (
        <span className={styles.fixedKeys}>{caps}</span>
      ) : (
        <Button
          ref={button}
          size="compact-sm"
          variant={waiting ? (waiting.key === null ? "filled" : "outline") : "default"}
          className={styles.keyButton}
          aria-label={waiting ? undefined : t("keyboard.keysOf", { title, keys: text })}
          data-mantine-stop-propagation={waiting ? "true" : undefined}
          onKeyDown={press}
          onClick={() => onWait({ id, key: null, second: false })}
        >
          {waiting ? waiting.key === null ? t("keyboard.pressKey") : <KeyCaps name={waiting.key} /> : caps}
        </Button>
      )}
      {waiting && (
        <Answer
          command={command}
          pressed={waiting.key}
          second={waiting.second}
          onTake={(key) => change((waiting.second ? added : swapped)(commands, map, id, key))}
          onNone={() => change(assigned(commands, map, id, null))}
          onCancel={() => {
            onWait(null);
            button.current?.focus();
          }}
        />
      )}
      {!waiting && others.length > 0 && (
        <Text size="xs" className={`${styles.answer} failure`}>
          {t("keyboard.alsoKeyOf", { titles: titlesOf(others) })}
        </Text>
      )}
    </li>
  );
}

interface AnswerProps {
  readonly command: Listed;
  readonly pressed: string | null;
  readonly second: boolean;
  readonly onTake: (key: string) => void;
  readonly onNone: () => void;
  readonly onCancel: () => void;
}

/** What is said below a command that waits for its key. */
function Answer({ command: { id, keys }, pressed, second, onTake, onNone, onCancel }: AnswerProps) {
  const { commands } = useStore(listed);
  const map = useStore(keyMap);
  const others = pressed === null || isFixed(pressed) ? [] : conflictsOf(commands, map, id, pressed);
  const swap = useRef<HTMLButtonElement>(null);
  const conflict = others.length > 0 ? pressed : null;
  useEffect(() => {
    if (conflict !== null) swap.current?.focus();
  }, [conflict]);
  return (
    <Group gap="xs" className={styles.answer}>
      <Text size="xs" role="status" flex="1 1 180px">
        {pressed === null && t("keyboard.escapeCancels")}
        {pressed !== null && isFixed(pressed) && t("keyboard.keyFixed", { key: keyLabel(pressed) })}
        {conflict !== null && t("keyboard.keyTaken", { key: keyLabel(conflict), titles: titlesOf(others) })}
      </Text>
      <Group gap="xs" wrap="nowrap">
        {conflict !== null && (
          <Button ref={swap} size="compact-sm" onClick={() => onTake(conflict)}>
            {keys.length > 0 && !second ? t("keyboard.swapKeys") : t("keyboard.useHere")}
          </Button>
        )}
        {conflict === null && keys.length > 0 && !second && (
          <Button size="compact-sm" variant="default" onClick={onNone}>
            {t("keyboard.noKey")}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={onCancel}>
          {t("common.cancel")}
        </Button>
      </Group>
    </Group>
  );
}

const titlesOf = (commands: readonly Listed[]): string =>
  commands.map(({ title }) => t("keyboard.quoted", { title })).join(", ");
