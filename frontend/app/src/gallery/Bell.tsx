import { ActionIcon, Indicator, Menu, Text } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { t } from "@wavescope/core/i18n/i18n";
import { type Mention, readMentions } from "@wavescope/core/wire/annotations/comments";
import { useAccount } from "../accounts/account";
import { showPanel } from "../microscope/panelState";
import { wantedAnnotation } from "../microscope/wantedAnnotation";
import { addressOf, follow, slidePath } from "../state/router";
import { dateLabel } from "../ui/dates";

const EVERY = 60_000; // milliseconds

/** Unread comments that name the user or answer the user's, on all slides (AN49, AN55); nothing where nobody is signed in. */
export function Bell() {
  const account = useAccount();
  const { data } = useQuery({
    queryKey: ["mentions"],
    queryFn: readMentions,
    refetchOnMount: "always",
    refetchInterval: EVERY,
    enabled: account?.mode === "accounts" && account.user !== null,
  });
  if (data === undefined) return null;
  return (
    <Menu position="bottom-end" width={320} withInitialFocusPlaceholder={false}>
      <Indicator label={data.length} size={16} offset={6} disabled={data.length === 0}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t("together.newsCount", { count: data.length })}
            data-testid="bell"
          >
            <IconBell size={20} />
          </ActionIcon>
        </Menu.Target>
      </Indicator>
      <Menu.Dropdown mah="70vh" style={{ overflowY: "auto" }}>
        {data.length === 0 && <Menu.Label>{t("together.noNews")}</Menu.Label>}
        {data.map((one) => (
          <News key={`${one.slide} ${one.comment.id}`} news={one} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function News({ news: { slide, title, comment } }: { readonly news: Mention }) {
  const open = (event: React.MouseEvent): void => {
    showPanel("annotations");
    wantedAnnotation.setState({ slide, annotation: comment.annotation });
    follow(event, slidePath(slide));
  };
  return (
    <Menu.Item component="a" href={addressOf(slidePath(slide))} onClick={open} data-testid="news">
      <Text size="sm" lineClamp={2}>
        {t("together.wroteOn", { name: comment.author, title: title || slide })}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={2}>
        {comment.text}
      </Text>
      <Text size="xs" c="dimmed">
        {dateLabel(comment.created)}
      </Text>
    </Menu.Item>
  );
}
