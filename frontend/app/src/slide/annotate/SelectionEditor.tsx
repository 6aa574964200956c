import { ActionIcon, Group, Stack, Text, TextInput, Textarea, Tooltip, Alert, Button } from "@mantine/core";
import { IconFocus2, IconTrash } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { KIND_NAMES, measureLabels } from "@wavescope/viewer/annotate/draw/labels";
import type { Content } from "@wavescope/core/wire/annotations/annotations";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { canCombine, combine } from "@wavescope/viewer/annotate/selection";
import { ClassSelect } from "./ClassSelect";
import { KeyTooltip } from "../../ui/keys/KeyTooltip";
import styles from "./annotate.module.css";
import { combinations } from "./combining";
import { showObject } from "./showObject";
import { Comments } from "./together/Comments";
import { LockButton, LockedNote } from "./together/LockButton";
import { useAnnotationState } from "../../microscope/useAnnotations";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly annotations: Annotations;
  readonly manifest: Manifest;
}

/** Name, words, class and measures of what is selected; or what is typed about an annotation that another has deleted. */
export function SelectionEditor({ annotations, manifest }: Props) {
  const { store } = annotations;
  const selected = useAnnotationState(annotations, (state) => state.selected);
  const typed = useAnnotationState(annotations, (state) => state.typed);
  useAnnotationState(annotations, (state) => state.version);
  const lost = typed !== null && store.get(typed.id) === null;
  const ids = lost ? [typed.id] : selected;
  const first = lost ? typed.content : selected.length > 0 ? store.get(selected[0]!) : null;
  if (!first) {
    return (
      <Text size="xs" c="dimmed">
        {t("annotate.nothingSelected")}
      </Text>
    );
  }
  const mayChange = lost || ids.every((id) => store.mayChange(id));
  const isLocked = !lost && ids.some((id) => store.styleOf(id).locked);
  const shared = ids.every((id) => store.get(id)?.class === first.class) ? first.class : "";
  return (
    <Stack gap={6} className={styles.editor} data-testid="annotation-editor">
      {lost ? (
        <TypedLost store={store} />
      ) : (
        <Head annotations={annotations} ids={ids} first={first} mayChange={mayChange} />
      )}
      {isLocked && (
        <Text size="xs" role="note">
          {t("annotate.inLockedLayer")}
        </Text>
      )}
      {ids.length === 1 && !lost && (
        <>
          <Measures content={first} manifest={manifest} />
          <Authors annotations={annotations} id={ids[0]!} />
          <LockedNote annotations={annotations} id={ids[0]!} />
        </>
      )}
      {ids.length === 1 &&
        (mayChange ? (
          <TextFields key={ids[0]} annotations={annotations} id={ids[0]!} content={first} />
        ) : (
          <ReadOnlyText content={first} />
        ))}
      {mayChange && !lost && (
        <ClassSelect
          annotations={annotations}
          label={t("annotate.class")}
          value={shared}
          onChange={(name) => store.patch(selected, { class: name })}
        />
      )}
      {mayChange && !lost && <Combinations annotations={annotations} />}
      {ids.length === 1 && !lost && <Comments annotations={annotations} id={ids[0]!} />}
    </Stack>
  );
}

/** What can be made of the selected areas together. */
function Combinations({ annotations: { store } }: { readonly annotations: Annotations }) {
  const offered = combinations.filter(({ how }) => canCombine(store, how));
  if (offered.length === 0) return null;
  return (
    <Group gap={4}>
      {offered.map(({ how, title, action, icon: Icon }) => (
        <Button
          key={how}
          size="compact-xs"
          variant="default"
          leftSection={<Icon size={14} />}
          title={action}
          onClick={() => void combine(store, how)}
        >
          {title}
        </Button>
      ))}
    </Group>
  );
}

interface HeadProps {
  readonly annotations: Annotations;
  readonly ids: readonly string[];
  readonly first: Content;
  readonly mayChange: boolean;
}

function Head({ annotations, ids, first, mayChange }: HeadProps) {
  return (
    <Group justify="space-between" wrap="nowrap" gap={4}>
      <Text size="sm" fw={600}>
        {ids.length === 1 ? KIND_NAMES[first.shape.kind] : t("common.annotationCount", { count: ids.length })}
      </Text>
      <Group gap={2} wrap="nowrap">
        <Tooltip label={t("annotate.zoomTo")}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("annotate.zoomTo")}
            onClick={() => showObject(annotations, ids[0]!, true)}
          >
            <IconFocus2 size={16} />
          </ActionIcon>
        </Tooltip>
        <LockButton annotations={annotations} ids={ids} />
        {mayChange && (
          <KeyTooltip label={t("common.delete")} commands={["annotate.delete"]}>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t("annotate.deleteSelected")}
              onClick={() => annotations.store.remove(ids)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </KeyTooltip>
        )}
      </Group>
    </Group>
  );
}

function Measures({ content, manifest }: { readonly content: Content; readonly manifest: Manifest }) {
  const labels = measureLabels(content.shape, manifest.mpp);
  if (labels.length === 0) return null;
  return (
    <Text size="sm" className={styles.measures} data-testid="annotation-measures">
      {labels.join(" · ")}
    </Text>
  );
}

/** Name, class and text, without the right to change them. */
function ReadOnlyText({ content: { name, class: group, text } }: { readonly content: Content }) {
  const head = [name, group].filter(Boolean).join(" · ");
  return (
    <>
      {head && <Text size="sm">{head}</Text>}
      {text && (
        <Text size="sm" style={{ whiteSpace: "pre-wrap" }}>
          {text}
        </Text>
      )}
    </>
  );
}

/** Written when the field is left or Enter is pressed. */
function TextFields({
  annotations,
  id,
  content,
}: {
  readonly annotations: Annotations;
  readonly id: string;
  readonly content: Content;
}) {
  const { store } = annotations;
  const typed = useAnnotationState(annotations, (state) => (state.typed?.id === id ? state.typed : null));
  const untitledTextId = useAnnotationState(annotations, (state) => state.untitledTextId);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (untitledTextId !== id) return;
    area.current?.focus();
    store.set({ untitledTextId: null });
  }, [untitledTextId, id, store]);
  const write = (): void => store.writeTyped();
  return (
    <>
      <TextInput
        size="xs"
        label={t("common.name")}
        maxLength={200}
        value={(typed ?? content).name}
        onChange={(event) => store.type(id, { name: event.currentTarget.value })}
        onBlur={write}
        onKeyDown={(event) => event.key === "Enter" && write()}
      />
      <Textarea
        ref={area}
        size="xs"
        label={t("annotate.text")}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={10_000}
        value={(typed ?? content).text}
        onChange={(event) => store.type(id, { text: event.currentTarget.value })}
        onBlur={write}
      />
    </>
  );
}

/** Who created it, and who changed it last if that is another person. */
function Authors({ annotations, id }: { readonly annotations: Annotations; readonly id: string }) {
  useAnnotationState(annotations, (state) => state.responses);
  const signed = annotations.store.signed(id);
  if (!signed?.author) return null;
  const { author, editor } = signed;
  return (
    <Text size="xs" c="dimmed" data-testid="annotation-author">
      {editor === author ? t("annotate.createdBy", { author }) : t("annotate.createdAndChangedBy", { author, editor })}
    </Text>
  );
}

/** Another has deleted it while its user types: the words stay until the user decides. */
function TypedLost({ store }: { readonly store: Annotations["store"] }) {
  return (
    <Alert color="yellow" title={t("annotate.deletedMeanwhile")} data-testid="typed-lost">
      <Text size="sm">{t("annotate.deletedMeanwhileHint")}</Text>
      <Group gap="xs" mt={6}>
        <Button size="compact-sm" onClick={() => store.keepTyped()}>
          {t("annotate.keepAsNew")}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => store.set({ typed: null })}>
          {t("annotate.discardText")}
        </Button>
      </Group>
    </Alert>
  );
}
