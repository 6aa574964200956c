import { Alert, Button, Center, Loader, Overlay, Stack, Text, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { ExportedSlide } from "@wavescope/core/wire/files/open";
import { SlideFileError } from "@wavescope/core/wire/files/errors";
import styles from "../microscope/slide.module.css";
import { usePageTitle } from "../ui/usePageTitle";
import { FileView } from "../slide/files/FileView";
import { connectToParent } from "./embedding";
import { ExportedBar } from "./ExportedBar";
import * as parts from "./parts";
import { openFromAddress, openLocal, reasonOf } from "./source";
import { FileChooser } from "../ui/FileChooser";
import { useDrop } from "../ui/useDrop";
import { t } from "@wavescope/core/i18n/i18n";

interface Shown {
  readonly slide: ExportedSlide | null;
  readonly error: unknown;
}

const address = location.href;
let first: Promise<ExportedSlide> | null = null;

/** The slide beside the page or in its address; a file that is dropped takes its place. */
export function ExportedPage() {
  const [shown, setShown] = useState<Shown | null>(null);
  const latest = useRef(0);
  const show = (opening: Promise<ExportedSlide>): void => {
    const number = (latest.current += 1);
    opening.then(
      (slide) => (number === latest.current ? setShown({ slide, error: null }) : slide.manifest.files?.close()),
      (error: unknown) => number === latest.current && setShown({ slide: null, error }),
    );
  };
  useEffect(() => {
    first ??= openFromAddress(address);
    show(first);
  }, []);
  const open = (file: File | null): void => {
    if (!file) return;
    const opening = openLocal(file);
    if (shown?.slide) void opening.finally(forgetView).catch(() => null);
    setShown(null);
    show(opening);
  };
  const dragged = useDrop(open);
  usePageTitle(shown?.slide?.manifest.title);
  return (
    <>
      {shown?.slide ? (
        <FileView
          key={shown.slide.manifest.digest}
          manifest={shown.slide.manifest}
          parts={parts}
          onOpen={connectToParent}
          bar={(microscope) => <ExportedBar microscope={microscope} manifest={shown.slide!.manifest} open={open} />}
        />
      ) : (
        <Center className={styles.page} component="main">
          {shown ? <Start error={shown.error} open={open} /> : <Loader aria-label={t("page.openingSlide")} />}
        </Center>
      )}
      {dragged && (
        <Overlay fixed blur={2} center>
          <Text size="xl">{t("exported.dropHere")}</Text>
        </Overlay>
      )}
    </>
  );
}

/** The view in the address is that of the slide before: the next one is opened as a whole. */
function forgetView(): void {
  history.replaceState(null, "", location.pathname + location.search);
}

/** Where there is no slide: why, and the way to one. */
function Start({ error, open }: { readonly error: unknown; readonly open: (file: File | null) => void }) {
  const expected = error instanceof SlideFileError && error.fault === "missing" && !address.includes("file=");
  return (
    <Stack align="center" maw={420} data-testid="exported-start">
      <Title order={1} size="h3">
        {t("exported.open")}
      </Title>
      {!expected && (
        <Alert color="red" title={t("exported.notOpened")} data-testid="exported-failure">
          {reasonOf(error)}
        </Alert>
      )}
      <Text>{t("exported.drop")}</Text>
      <FileChooser onChoose={open} accept=".wsz">
        {(button) => <Button {...button}>{t("exported.choose")}</Button>}
      </FileChooser>
    </Stack>
  );
}
