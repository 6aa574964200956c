import { Alert, Anchor, Button, Center, Loader, Overlay, Stack, Text, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { openLocalSlide, reasonOf } from "@wavescope/core/local/localSlide";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { useMay } from "../accounts/account";
import styles from "../microscope/slide.module.css";
import { FileView } from "../slide/files/FileView";
import { TopBar } from "../slide/page/TopBar";
import { lookAt, lookedAt } from "../state/lookedAt";
import { addressOf, follow, navigate } from "../state/router";
import { sendFiles } from "../state/uploads";
import { FileChooser } from "../ui/FileChooser";
import { later } from "../ui/later/Later";
import { useDrop } from "../ui/useDrop";
import { usePageTitle } from "../ui/usePageTitle";
import bannerStyles from "../microscope/banner.module.css";
import * as parts from "./parts";
import { t } from "@wavescope/core/i18n/i18n";

const EncodeDialog = later(async () => (await import("./EncodeDialog")).EncodeDialog);

type Shown = { readonly file: File } & ({ readonly manifest: Manifest } | { readonly error: unknown });

/** A slide file of this computer, looked at without an upload. */
export function LocalPage() {
  const { file } = useStore(lookedAt);
  const shown = useLocalSlide(file);
  const dragged = useDrop(lookAt);
  const manifest = shown && "manifest" in shown ? shown.manifest : null;
  usePageTitle(manifest ? manifest.title : t("local.title"));
  return (
    <>
      {manifest ? (
        <FileView
          key={manifest.url}
          manifest={manifest}
          parts={parts}
          bar={(microscope) => <TopBar microscope={microscope} manifest={manifest} items={null} />}
        >
          <Banner file={shown!.file} profiled={manifest.icc} />
        </FileView>
      ) : (
        <Center className={styles.page} component="main" p="md">
          {file && !shown ? (
            <Loader aria-label={t("local.opening")} />
          ) : (
            <Start error={shown && "error" in shown ? shown.error : null} />
          )}
        </Center>
      )}
      {dragged && (
        <Overlay fixed blur={2} center>
          <Text size="xl">{t("local.dropHere")}</Text>
        </Overlay>
      )}
    </>
  );
}

/** Null while it is being opened. */
function useLocalSlide(file: File | null): Shown | null {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    if (!file) return undefined;
    let gone = false;
    let close = (): void => undefined;
    openLocalSlide(file).then(
      (manifest) => {
        if (gone) return manifest.files!.close();
        close = () => manifest.files!.close();
        setShown({ file, manifest });
      },
      (error: unknown) => gone || setShown({ file, error }),
    );
    return () => {
      gone = true;
      close();
    };
  }, [file]);
  return shown?.file === file ? shown : null;
}

/** Where there is no slide: why, and the way to one. */
function Start({ error }: { readonly error: unknown }) {
  return (
    <Stack align="center" maw={460} data-testid="local-start">
      <Title order={1} size="h3" ta="center">
        {t("local.title")}
      </Title>
      {error !== null && (
        <Alert color="red" title={t("local.notOpened")} data-testid="local-failure" role="alert">
          {reasonOf(error)}
        </Alert>
      )}
      <Text ta="center">{t("local.noFile")}</Text>
      <FileChooser onChoose={lookAt}>{(button) => <Button {...button}>{t("exported.choose")}</Button>}</FileChooser>
      <Anchor href={addressOf("/")} onClick={(event) => follow(event, "/")}>
        {t("common.backGallery")}
      </Anchor>
    </Stack>
  );
}

interface BannerProps {
  readonly file: File;
  /** It has a colour profile, which is not applied here (LI5). */
  readonly profiled: boolean;
}

function Banner({ file, profiled }: BannerProps) {
  const may = useMay("instructor");
  const [encoding, setEncoding] = useState(false);
  const close = (): void => setEncoding(false);
  const upload = (): void => {
    sendFiles([file]);
    navigate("/");
  };
  return (
    <div className={bannerStyles.banner} role="note" data-testid="local-banner">
      <Text size="sm" span>
        {t("local.hint")} {profiled && t("local.profile")}
      </Text>
      {may && (
        <Button size="compact-sm" ms="sm" onClick={upload}>
          {t("local.upload")}
        </Button>
      )}
      <Button size="compact-sm" ms="sm" variant="default" onClick={() => setEncoding(true)}>
        {t("incoming.encodeTitle")}
      </Button>
      {encoding && <EncodeDialog file={file} onClose={close} onUpload={() => navigate("/")} />}
      <FileChooser onChoose={lookAt}>
        {(button) => (
          <Button {...button} size="compact-sm" ms="sm" variant="default">
            {t("local.chooseOther")}
          </Button>
        )}
      </FileChooser>
    </div>
  );
}
