import { ActionIcon, NavLink, Text } from "@mantine/core";
import { IconChevronDown, IconChevronRight, IconDots, IconFolder, IconStack2 } from "@tabler/icons-react";
import { useState } from "react";
import { createStore, useStore } from "zustand";
import type { CaseSummary } from "@wavescope/core/wire/catalog/casesClient";
import { t } from "@wavescope/core/i18n/i18n";
import { useMay } from "../accounts/account";
import { addressOf, casePath, follow } from "../state/router";
import { later } from "../ui/later/Later";
import { LaterMenu } from "../ui/later/LaterMenu";
import styles from "./caseLinks.module.css";
import { DRAGGED, useMoveCase } from "./moving";
import { mayMove, rowsOf } from "./tree";

const CaseMenu = later(async () => (await import("./CaseMenu")).CaseMenu);

/** Collections whose cases are listed below them. */
const opened = createStore<ReadonlySet<string>>(() => new Set<string>());

function toggle(id: string): void {
  const next = new Set(opened.getState());
  if (!next.delete(id)) next.add(id);
  opened.setState(next, true);
}

interface Props {
  readonly cases: readonly CaseSummary[];
  /** Lists what lies in that one; "": all. */
  readonly within?: string;
}

/** Links to cases, each below the collection that it lies in; dragged into another one, or moved there by its menu. */
export function CaseLinks({ cases, within = "" }: Props) {
  const open = useStore(opened);
  return rowsOf(cases, (id) => open.has(id), within).map(({ case: one, depth, inner }) => (
    <CaseLink key={one.id} {...{ cases, one, depth, inner }} open={open.has(one.id)} />
  ));
}

interface LinkProps {
  readonly cases: readonly CaseSummary[];
  readonly one: CaseSummary;
  readonly depth: number;
  readonly inner: boolean;
  readonly open: boolean;
}

function CaseLink({ cases, one: { id, title, kind, below, slides }, depth, inner, open }: LinkProps) {
  const drop = useCaseDrop(cases, id);
  const more = (
    <ActionIcon variant="subtle" color="gray" size={26} aria-label={t("gallery.moreFor", { title })}>
      <IconDots size={14} />
    </ActionIcon>
  );
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <div className={styles.link} style={{ paddingInlineStart: 14 * depth }} {...drop}>
      {inner ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={26}
          onClick={() => toggle(id)}
          aria-expanded={open}
          aria-label={t("cases.contentsOf", { title })}
        >
          <Chevron size={14} />
        </ActionIcon>
      ) : (
        <span className={styles.noChevron} />
      )}
      <NavLink
        href={addressOf(casePath(id))}
        onClick={(event) => follow(event, casePath(id))}
        onDragStart={(event: React.DragEvent) => event.dataTransfer.setData(DRAGGED, id)}
        label={title}
        title={title}
        leftSection={kind === "collection" ? <IconStack2 size={16} /> : <IconFolder size={16} />}
        rightSection={
          <Text size="xs" c="dimmed">
            {below ?? slides}
          </Text>
        }
        data-testid="case-link"
      />
      <LaterMenu menu={CaseMenu} props={{ id, title, kind }} target={more} />
    </div>
  );
}

/** Props of what a case can be dropped on; `to`: the collection that it moves into, "": out of all. */
export function useCaseDrop(cases: readonly CaseSummary[], to: string) {
  const [over, setOver] = useState(false);
  const move = useMoveCase();
  const may = useMay("instructor");
  if (!may || (to !== "" && cases.find(({ id }) => id === to)?.kind !== "collection")) return {};
  return {
    "data-over": over || undefined,
    onDragOver: (event: React.DragEvent): void => {
      if (!event.dataTransfer.types.includes(DRAGGED)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: React.DragEvent): void => {
      setOver(false);
      const id = event.dataTransfer.getData(DRAGGED);
      if (!id) return;
      event.preventDefault();
      if (mayMove(cases, id, to)) move(cases, id, to);
    },
  };
}
