import { Alert, Button, Code, Loader, Text, Title } from "@mantine/core";
import { IconCloudOff, IconMicroscope } from "@tabler/icons-react";
import { mayRecover } from "@wavescope/core/wire/http/errors";
import { explain } from "@wavescope/core/wire/http/explain";
import { SignInButton } from "../accounts/SignInButton";
import { mayAs, useAccount } from "../accounts/account";
import { UploadButton } from "./GalleryHeader";
import styles from "../ui/page.module.css";
import { t } from "@wavescope/core/i18n/i18n";

export function EmptyGallery() {
  const account = useAccount();
  if (account?.mode === "accounts" && !mayAs(account, "instructor"))
    return <NothingShared signedIn={account.user !== null} />;
  return (
    <div className={styles.empty} data-testid="empty-gallery">
      <IconMicroscope size={56} stroke={1.2} aria-hidden="true" />
      <Title order={2} mt="md">
        {t("gallery.noSlidesYet")}
      </Title>
      <Text c="dimmed" mt="xs" mb="lg">
        {t("gallery.emptyHint")} <Code>{t("gallery.wavescopeIngestFile")}</Code>
      </Text>
      <UploadButton />
    </div>
  );
}

function NothingShared({ signedIn }: { readonly signedIn: boolean }) {
  return (
    <div className={styles.empty} data-testid="empty-gallery">
      <IconMicroscope size={56} stroke={1.2} aria-hidden="true" />
      <Title order={2} mt="md">
        {signedIn ? t("gallery.noSharedSlides") : t("gallery.signInForSlides")}
      </Title>
      <Text c="dimmed" mt="xs" mb="lg">
        {signedIn ? t("gallery.sharedSlidesHint") : t("gallery.noPublicSlides")}
      </Text>
      {!signedIn && <SignInButton />}
    </div>
  );
}

interface NothingFoundProps {
  readonly search: string;
  readonly filtered: boolean;
  readonly onClear: () => void;
}

export function NothingFound({ search, filtered, onClear }: NothingFoundProps) {
  return (
    <div className={styles.empty}>
      <Title order={3}>{t("gallery.nothingFound")}</Title>
      <Text c="dimmed" mt="xs" mb="lg">
        {!search
          ? t("gallery.noSlideMatchesFilters")
          : t(filtered ? "gallery.noSlideMatchesBoth" : "gallery.noSlideMatches", { search })}
      </Text>
      <Button variant="default" onClick={onClear}>
        {t("gallery.showAllSlides")}
      </Button>
    </div>
  );
}

/** Says what is wrong; where waiting helps, the page is asked for again by itself. */
export function CatalogFailure({ error }: { readonly error: Error }) {
  const recovers = mayRecover(error);
  return (
    <Alert
      color={recovers ? "yellow" : "red"}
      icon={<IconCloudOff size={18} />}
      title={recovers ? t("common.serviceOffline") : t("gallery.catalogFailed")}
      mb="lg"
      data-testid="service-offline"
    >
      {recovers ? (
        <Text size="sm" component="span">
          {t("ui.tryingAgain")} <Loader size={12} type="dots" ms={6} display="inline-flex" />
        </Text>
      ) : (
        explain(error)
      )}
    </Alert>
  );
}
