import { ActionIcon, Button, Group as Row, Menu, Stack, Switch, Text } from "@mantine/core";
import { IconArrowsExchange, IconUsersGroup } from "@tabler/icons-react";
import { useState } from "react";
import { type Group, type Member, type SessionState, groupOf, memberOf } from "@wavescope/core/session/state";
import { t } from "@wavescope/core/i18n/i18n";
import { type Participant, operate } from "../../state/live";
import styles from "../../session.module.css";
import { Heading } from "../Heading";
import { MAX_GROUPS, dividedEvenly, membersIn, shuffled, toDivide } from "./dividing";
import { NumberInput } from "../../../ui/NumberInput";

/** Groups for a while: the host divides, moves, visits and calls back; the others see their own one. */
export function GroupPart({ whole, you }: Pick<Participant, "whole" | "you">) {
  const own = groupOf(whole, you);
  if (whole.owner !== you) return own && <OwnGroup whole={whole} group={own} you={you} />;
  return (whole.groups ?? []).length === 0 ? <Divide whole={whole} /> : <AllGroups whole={whole} own={own} />;
}

interface OwnProps {
  readonly whole: SessionState;
  readonly group: Group;
  readonly you: string;
}

function OwnGroup({ whole, group, you }: OwnProps) {
  const names = membersIn(whole, group).map(({ id, name }) =>
    id === you ? t("session.membersMarked", { name, marks: t("session.memberYou") }) : name,
  );
  return (
    <Stack gap={4} data-testid="session-groups">
      <Heading>{group.name}</Heading>
      <Text size="sm">{names.join(", ")}</Text>
      <Text size="xs" c="dimmed">
        {t("session.groupHint")}
      </Text>
    </Stack>
  );
}

function Divide({ whole }: { readonly whole: SessionState }) {
  const [open, setOpen] = useState(false);
  const [count, setCount] = useState(2);
  const [random, setRandom] = useState(true);
  const people = toDivide(whole).map(({ id }) => id);
  const divide = (): void => {
    const groups = dividedEvenly(random ? shuffled(people) : people, count);
    const named = groups.map((members, i) => ({ name: t("session.groupName", { number: i + 1 }), members }));
    operate({ type: "groups", groups: named });
  };
  return (
    <Stack gap="xs" data-testid="session-groups">
      <Row justify="space-between">
        <Heading>{t("session.groups")}</Heading>
        <Button variant="default" size="compact-sm" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t("session.groupDivide")}
        </Button>
      </Row>
      {open && (
        <Stack gap="xs" className={styles.poll}>
          <NumberInput
            size="sm"
            label={t("session.groupCount")}
            min={1}
            max={MAX_GROUPS}
            allowDecimal={false}
            value={count}
            onChange={(value) => setCount(Math.min(MAX_GROUPS, Math.max(1, Number(value) || 1)))}
          />
          <Switch
            label={t("session.groupRandom")}
            checked={random}
            onChange={(event) => setRandom(event.currentTarget.checked)}
          />
          <Text size="xs" c="dimmed">
            {t("session.groupDivideHint", { count: people.length })}
          </Text>
          <Button size="compact-sm" onClick={divide}>
            {t("session.groupDivideNow")}
          </Button>
        </Stack>
      )}
    </Stack>
  );
}

interface AllProps {
  readonly whole: SessionState;
  /** The group that the host visits. */
  readonly own: Group | null;
}

function AllGroups({ whole, own }: AllProps) {
  const groups = whole.groups ?? [];
  const others = membersIn(whole, null);
  const visit = (group: Group["id"] | null): void => operate({ type: "move", member: whole.owner, group });
  return (
    <Stack gap="xs" data-testid="session-groups">
      <Row justify="space-between">
        <Heading>{t("session.groups")}</Heading>
        <Button
          size="compact-sm"
          leftSection={<IconUsersGroup size={14} />}
          onClick={() => operate({ type: "groups", groups: [] })}
        >
          {t("session.groupCallBack")}
        </Button>
      </Row>
      {groups.map((group) => (
        <GroupCard key={group.id} whole={whole} group={group} visited={own?.id === group.id} onVisit={visit} />
      ))}
      {others.length > 0 && <Names label={t("session.groupNone")} members={others} whole={whole} group={null} />}
    </Stack>
  );
}

interface CardProps {
  readonly whole: SessionState;
  readonly group: Group;
  readonly visited: boolean;
  readonly onVisit: (group: Group["id"] | null) => void;
}

/** Who is in a group, who presents there, and at which slide it is. */
function GroupCard({ whole, group, visited, onVisit }: CardProps) {
  const presenter = memberOf(whole, group.presenter)?.name;
  const slide = whole.slides.find(({ id }) => id === group.stage.slide)?.title ?? "";
  const members = membersIn(whole, group);
  return (
    <Stack gap={4} className={styles.poll} data-testid="session-group">
      <Row justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
          {group.name}
        </Text>
        <Button
          variant="default"
          size="compact-sm"
          className={styles.act}
          aria-label={visited ? t("session.groupLeave") : t("session.groupVisitNamed", { name: group.name })}
          onClick={() => onVisit(visited ? null : group.id)}
        >
          {visited ? t("session.groupLeave") : t("session.groupVisit")}
        </Button>
      </Row>
      <Text size="xs" c="dimmed">
        {presenter ? t("session.groupWhere", { presenter, slide }) : t("session.groupNobody", { slide })}
      </Text>
      <Names label={group.name} members={members} whole={whole} group={group} />
    </Stack>
  );
}

interface NamesProps {
  readonly label: string;
  readonly members: readonly Member[];
  readonly whole: SessionState;
  readonly group: Group | null;
}

function Names({ label, members, whole, group }: NamesProps) {
  return (
    <>
      {group === null && <Text size="sm">{label}</Text>}
      <ul className={styles.list} aria-label={label}>
        {members.map((member) => (
          <li key={member.id} className={styles.member} data-present={member.present}>
            <span className={styles.swatch} style={{ background: member.color }} aria-hidden="true" />
            <span className={styles.name} title={member.name}>
              {member.name}
            </span>
            {member.id !== whole.owner && <MoveMenu member={member} whole={whole} group={group} />}
          </li>
        ))}
      </ul>
    </>
  );
}

function MoveMenu({ member: { id, name }, whole, group }: Omit<NamesProps, "label" | "members"> & { member: Member }) {
  const targets = (whole.groups ?? []).filter((other) => other.id !== group?.id);
  const move = (to: Group["id"] | null): void => operate({ type: "move", member: id, group: to });
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t("session.groupMove", { name })}>
          <IconArrowsExchange size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {targets.map((other) => (
          <Menu.Item key={other.id} onClick={() => move(other.id)}>
            {other.name}
          </Menu.Item>
        ))}
        {group && <Menu.Item onClick={() => move(null)}>{t("session.groupNone")}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}
