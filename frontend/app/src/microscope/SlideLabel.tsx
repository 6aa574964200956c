import { ActionIcon } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { IconId } from "@tabler/icons-react";
import { useState } from "react";
import { identityImage, identityOf } from "@wavescope/core/wire/catalog/phiClient";
import { Hint } from "../ui/later/Hint";
import styles from "./overviewButtons.module.css";
import { t } from "@wavescope/core/i18n/i18n";

const LABEL = "label";

/** The picture of the slide's label, on request and as long as the slide is open: each time is logged (PG85). */
export function SlideLabel({ id }: { readonly id: string }) {
  const [shown, setShown] = useState(false);
  const phi = useQuery({ queryKey: ["identity", id], queryFn: ({ signal }) => identityOf(id, signal), retry: false });
  if (!phi.data?.images.includes(LABEL)) return null;
  const name = t(shown ? "microscope.hideLabel" : "microscope.showLabel");
  return (
    <>
      <Hint label={shown ? name : `${name}. ${t("information.phiHint")}`} position="left">
        <ActionIcon
          variant={shown ? "filled" : "default"}
          size="sm"
          onClick={() => setShown(!shown)}
          aria-label={t("microscope.slideLabel")}
          aria-pressed={shown}
        >
          <IconId size={14} />
        </ActionIcon>
      </Hint>
      {shown && (
        <img
          className={styles.label}
          src={identityImage(id, LABEL)}
          alt={t("information.imageOfSlide", { name: LABEL })}
          data-testid="slide-label"
        />
      )}
    </>
  );
}
