import { Center, Loader } from "@mantine/core";
import type { ComponentType } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import { type LaterComponent, later } from "./Later";

/** A page whose code comes when it is shown. `ownStyles`: those of its components come with it. */
export function laterPage<P extends object>(
  fetchPage: () => Promise<ComponentType<P>>,
  ownStyles = false,
): LaterComponent<P> {
  return later(fetchPage, {
    ownStyles,
    placeholder: (
      <Center mih="100dvh">
        <Loader aria-label={t("ui.loadingPage")} />
      </Center>
    ),
  });
}
