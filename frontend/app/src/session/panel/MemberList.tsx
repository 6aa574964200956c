import { ActionIcon, Menu, Stack, Tooltip } from "@mantine/core";
import { IconDots, IconEye, IconHandStop, IconPresentation } from "@tabler/icons-react";
import { useState } from "react";
import { type Member, groupOf, mayHandOver } from "@wavescope/core/session/state";
import { Heading } from "./Heading";
import { RemoveDialog } from "./RemoveDialog";
import { type Participant, operate } from "../state/live";
import styles from "../session.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** Raised hands first, in the order in which they were raised; then those present; then the others. */
export function MemberList(participant: Participant) {
  const members = [...participant.session.members].sort(
    (a, b) =>
      (a.hand ?? Infinity) - (b.hand ?? Infinity) || Number(b.present) - Number(a.present) || a.joined - b.joined,
  );
  const present = members.filter((member) => member.present).length;
  const [removing, setRemoving] = useState<Member | null>(null);
  return (
    <Stack gap={4}>
      <Heading>{t("session.peopleHere", { count: present })}</Heading>
      <ul className={styles.list} aria-label={t("session.people")} data-testid="session-members">
        {members.map((member) => (
          <MemberRow key={member.id} member={member} participant={participant} onRemove={() => setRemoving(member)} />
        ))}
      </ul>
      {removing && <RemoveDialog member={removing} onClose={() => setRemoving(null)} />}
    </Stack>
  );
}

interface RowProps {
  readonly member: Member;
  readonly participant: Participant;
  readonly onRemove: () => void;
}

function MemberRow({ member, participant, onRemove }: RowProps) {
  const { session, you } = participant;
  const { id, name, color, kind, present, hand, following } = member;
  const group = groupOf(session, id)?.name;
  const presents = id === session.presenter;
  const marks = [
    id === you && t("session.memberYou"),
    id === session.owner && t("session.memberHost"),
    kind === "guest" && t("session.memberGuest"),
    !present && t("session.memberAway"),
    group,
  ].filter(Boolean);
  return (
    <li className={styles.member} data-present={present} data-member={id}>
      <span className={styles.swatch} style={{ background: color }} aria-hidden="true" />
      <span className={styles.name} title={name}>
        {marks.length > 0 ? t("session.membersMarked", { name, marks: marks.join(", ") }) : name}
      </span>
      {hand !== null && <Mark label={t("session.handRaised", { name })} icon={<IconHandStop size={16} />} />}
      {presents && <Mark label={t("session.presents", { name })} icon={<IconPresentation size={16} />} />}
      {!presents && !following && present && (
        <Mark label={t("session.browsesFreely", { name })} icon={<IconEye size={16} />} />
      )}
      <MemberMenu member={member} participant={participant} onRemove={onRemove} />
    </li>
  );
}

function Mark({ label, icon }: { readonly label: string; readonly icon: React.ReactNode }) {
  return (
    <Tooltip label={label}>
      <span role="img" aria-label={label} style={{ display: "inline-flex" }}>
        {icon}
      </span>
    </Tooltip>
  );
}

/** What this window's member may do about another, or about itself. */
function MemberMenu({ member, participant: { session, you }, onRemove }: RowProps) {
  const { id, name, hand, present, steers } = member;
  const owner = session.owner === you;
  const items = [
    mayHandOver(session, you) &&
      groupOf(session, id)?.id === groupOf(session, you)?.id &&
      id !== session.presenter &&
      present && {
        label: id === you ? t("session.present") : t("session.handOver"),
        run: () => operate({ type: "present", member: id }),
      },
    hand !== null &&
      (id === you || mayHandOver(session, you)) && {
        label: t("session.lowerHand"),
        run: () => operate({ type: "hand", member: id, raised: false }),
      },
    owner &&
      id !== you && {
        label: steers ? t("session.disallowNavigate") : t("session.allowNavigate"),
        run: () => operate({ type: "allow", member: id, steers: !steers }),
      },
    owner && id !== you && { label: t("session.removeFromSession"), run: onRemove },
  ].filter((item) => item !== false);
  if (items.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t("session.moreFor", { name })}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ label, run }) => (
          <Menu.Item key={label} onClick={run}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
