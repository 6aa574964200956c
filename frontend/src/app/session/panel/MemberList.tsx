import { ActionIcon, Menu, Stack, Tooltip } from "@mantine/core";
import { IconDots, IconEye, IconHandStop, IconPresentation } from "@tabler/icons-react";
import { type Member, mayHandOver } from "../../../session/state";
import { Heading } from "./Heading";
import { type Participant, operate } from "../state/live";
import styles from "../session.module.css";
import { t } from "../../../i18n/i18n";

/** Raised hands first, in the order in which they were raised; then those present; then the others. */
export function MemberList(participant: Participant) {
  const members = [...participant.session.members].sort(
    (a, b) =>
      (a.hand ?? Infinity) - (b.hand ?? Infinity) || Number(b.present) - Number(a.present) || a.joined - b.joined,
  );
  const present = members.filter((one) => one.present).length;
  return (
    <Stack gap={4}>
      <Heading>{t("session.peopleHere", { count: present })}</Heading>
      <ul className={styles.list} aria-label={t("session.people")} data-testid="session-members">
        {members.map((one) => (
          <MemberRow key={one.id} member={one} participant={participant} />
        ))}
      </ul>
    </Stack>
  );
}

function MemberRow({ member, participant }: { readonly member: Member; readonly participant: Participant }) {
  const { session, you } = participant;
  const { id, name, color, present, hand, following } = member;
  const presents = id === session.presenter;
  const marks = [
    id === you && t("session.memberYou"),
    id === session.owner && t("session.memberHost"),
    !present && t("session.memberAway"),
  ].filter(Boolean);
  return (
    <li className={styles.member} data-present={present} data-member={id}>
      <span className={styles.swatch} style={{ background: color }} aria-hidden="true" />
      <span className={styles.name} title={name}>
        {marks.length > 0 ? t("session.membersMarked", { name, marks: marks.join(", ") }) : name}
      </span>
      {hand !== null && <Mark word={t("session.handRaised", { name })} icon={<IconHandStop size={16} />} />}
      {presents && <Mark word={t("session.presents", { name })} icon={<IconPresentation size={16} />} />}
      {!presents && !following && present && (
        <Mark word={t("session.browsesFreely", { name })} icon={<IconEye size={16} />} />
      )}
      <MemberMenu member={member} participant={participant} />
    </li>
  );
}

function Mark({ word, icon }: { readonly word: string; readonly icon: React.ReactNode }) {
  return (
    <Tooltip label={word}>
      <span role="img" aria-label={word} style={{ display: "inline-flex" }}>
        {icon}
      </span>
    </Tooltip>
  );
}

/** What this window's member may do about another, or about itself. */
function MemberMenu({
  member,
  participant: { session, you },
}: {
  readonly member: Member;
  readonly participant: Participant;
}) {
  const { id, name, hand, present, steers } = member;
  const owner = session.owner === you;
  const items = [
    mayHandOver(session, you) &&
      id !== session.presenter &&
      present && {
        word: id === you ? t("session.present") : t("session.handOver"),
        act: () => operate({ type: "present", member: id }),
      },
    hand !== null &&
      (id === you || mayHandOver(session, you)) && {
        word: t("session.lowerHand"),
        act: () => operate({ type: "hand", member: id, raised: false }),
      },
    owner &&
      id !== you && {
        word: steers ? t("session.disallowNavigate") : t("session.allowNavigate"),
        act: () => operate({ type: "allow", member: id, steers: !steers }),
      },
    owner && id !== you && { word: t("session.removeFromSession"), act: () => operate({ type: "remove", member: id }) },
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
        {items.map(({ word, act }) => (
          <Menu.Item key={word} onClick={act}>
            {word}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
