import { Button } from "@mantine/core";
import { IconFilePlus } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Case } from "@wavescope/core/wire/catalog/casesClient";
import { t } from "@wavescope/core/i18n/i18n";

/** All slides of a case onto the page of views. */
export function AddToPage({ slides }: Pick<Case, "slides">) {
  const [done, setDone] = useState(0);
  const add = useMutation({
    mutationFn: async () => (await import("../views/addingSlides")).addSlides(slides, setDone),
    onSettled: () => setDone(0),
  });
  return (
    <Button
      variant="default"
      leftSection={<IconFilePlus size={16} />}
      disabled={add.isPending}
      onClick={() => add.mutate()}
    >
      {add.isPending ? t("cases.addingToPage", { done, count: slides.length }) : t("cases.addAllToPage")}
    </Button>
  );
}
