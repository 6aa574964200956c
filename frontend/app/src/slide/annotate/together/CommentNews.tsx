import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { t } from "@wavescope/core/i18n/i18n";
import { readMentions } from "@wavescope/core/wire/annotations/comments";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { useAccount } from "../../../accounts/account";
import { addressOf, slidePath } from "../../../state/router";
import { showObject } from "../showObject";
import { countsOf } from "./comments";
import { useComments } from "./useComments";
import { useWanted } from "./useWanted";

const FRESH = 60_000; // milliseconds

/** Which annotations have unread comments, one after the other, and where on other slides the user is mentioned (AN49). */
export function CommentNews({ annotations }: { readonly annotations: Annotations }) {
  const { store, layer } = annotations;
  const [, state] = useComments(annotations);
  useWanted(annotations);
  const unread = [...countsOf(state)].filter(([id, count]) => count.unread > 0 && store.get(id) !== null);
  const mentions = useMentions(layer.microscope.manifest.id);
  if (unread.length === 0 && mentions.length === 0) return null;
  const show = (): void => {
    const id = unread[0]![0];
    store.select([id]);
    showObject(annotations, id);
  };
  return (
    <Stack gap={6} data-testid="comment-news">
      {unread.length > 0 && (
        <Group justify="space-between" gap={6} wrap="nowrap">
          <Text size="xs">{t("together.unreadOn", { count: unread.length })}</Text>
          <Button size="compact-xs" variant="light" onClick={show}>
            {t("together.showUnread")}
          </Button>
        </Group>
      )}
      {mentions.map(({ slide, title, author }) => (
        <Text size="xs" key={slide}>
          {t("together.mentionedBy", { name: author })}{" "}
          <Anchor size="xs" href={addressOf(slidePath(slide))}>
            {title || slide}
          </Anchor>
        </Text>
      ))}
    </Stack>
  );
}

interface Elsewhere {
  readonly slide: string;
  readonly title: string;
  readonly author: string;
}

/** Each other slide on which an unread comment names the user, with who wrote the newest. */
function useMentions(here: string): readonly Elsewhere[] {
  const account = useAccount();
  const { data } = useQuery({
    queryKey: ["mentions"],
    queryFn: readMentions,
    staleTime: FRESH,
    enabled: account?.mode === "accounts" && account.user !== null,
  });
  const slides = new Map<string, Elsewhere>();
  for (const { slide, title, comment } of data ?? [])
    if (slide !== here && !slides.has(slide)) slides.set(slide, { slide, title, author: comment.author });
  return [...slides.values()];
}
