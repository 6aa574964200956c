import { CloseButton } from "@mantine/core";
import { useEffect, useId } from "react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { useKeyLabels } from "../../ui/keys/KeyTooltip";
import { DESCRIBE, NEXT } from "./commands";
import { descriptionOf } from "./description";
import styles from "./description.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** What is said of the view, for screen readers; the summary, where it was asked for; and how the keys move the picture, as its description. */
export function DescribedView({ microscope }: { readonly microscope: Microscope }) {
  const description = descriptionOf(microscope);
  const { said, shown } = useStore(description.state);
  const help = useHelp();
  const id = useId();
  useEffect(() => description.follow(), [description]);
  useEffect(() => {
    const { element } = microscope.viewer;
    element.setAttribute("aria-describedby", id);
    return () => element.removeAttribute("aria-describedby");
  }, [microscope, id]);
  return (
    <div className={styles.description} data-keep data-testid="description">
      <p id={id} hidden>
        {help}
      </p>
      <div className={styles.said} aria-live="polite" aria-atomic="true" data-testid="said">
        {/* Screen readers pass over a text that is the one before, so every other one ends in a space. */}
        <span key={said.number}>{said.text + (said.number % 2 === 0 ? "" : "\u00a0")}</span>
      </div>
      {shown && (
        <section className={styles.shown} aria-label={t("description.inView")} data-testid="view-summary">
          <p>{shown.join(" ")}</p>
          <CloseButton size="sm" aria-label={t("description.hide")} onClick={() => description.hide()} />
        </section>
      )}
    </div>
  );
}

/** How to move, with the keys as they are now. */
function useHelp(): string {
  const [describe, next] = useKeyLabels([DESCRIBE, NEXT]);
  return [
    t("description.help"),
    describe && t("description.helpDescribe", { keys: describe }),
    next && t("description.helpNext", { keys: next }),
  ]
    .filter(Boolean)
    .join(" ");
}
