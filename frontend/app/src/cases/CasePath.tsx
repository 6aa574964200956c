import { Anchor, Breadcrumbs } from "@mantine/core";
import { t } from "@wavescope/core/i18n/i18n";
import { type Query, addressOf, casePath, follow } from "../state/router";
import { useCases } from "./queries";
import { pathTo } from "./tree";

interface Props {
  readonly id: string;
  /** Where a collection on the way leads; its own page by default. */
  readonly to?: (id: string) => readonly [string, Query?];
}

/** The collections that a case lies in, from outside; nothing where it lies in none. */
export function CasePath({ id, to = (one) => [casePath(one)] }: Props) {
  const path = pathTo(useCases().data ?? [], id);
  if (path.length < 2) return null;
  return (
    <Breadcrumbs component="nav" aria-label={t("cases.path")} mb="sm" separatorMargin={6} data-testid="case-path">
      {path.map(({ id: one, title }, i) => {
        const [address, query] = to(one);
        return (
          <Anchor
            key={one}
            size="sm"
            href={addressOf(address, query)}
            onClick={(event: React.MouseEvent) => follow(event, address, query)}
            aria-current={i === path.length - 1 ? "page" : undefined}
          >
            {title}
          </Anchor>
        );
      })}
    </Breadcrumbs>
  );
}
