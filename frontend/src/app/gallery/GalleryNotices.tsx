import { Alert, Button, Code, Loader, Text, Title } from "@mantine/core";
import { IconCloudOff, IconMicroscope } from "@tabler/icons-react";
import { explain, mayRecover } from "../../wire/http/errors";
import { SignInButton } from "../accounts/SignInButton";
import { mayAs, useAccount } from "../accounts/account";
import { UploadButton } from "./GalleryHeader";
import styles from "../ui/page.module.css";

export function EmptyGallery() {
  const account = useAccount();
  if (account?.mode === "accounts" && !mayAs(account, "instructor"))
    return <NothingShared signedIn={account.user !== null} />;
  return (
    <div className={styles.empty} data-testid="empty-gallery">
      <IconMicroscope size={56} stroke={1.2} aria-hidden="true" />
      <Title order={2} mt="md">
        No slides yet
      </Title>
      <Text c="dimmed" mt="xs" mb="lg">
        Drop a slide file here or choose one. Wavescope reads SVS, NDPI, MRXS and the other formats of OpenSlide,
        pyramidal TIFF and OME-TIFF, DICOM, PNG and JPEG. On the command line: <Code>wavescope ingest FILE</Code>
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
        {signedIn ? "No slides are shared with you yet" : "Sign in to see your slides"}
      </Title>
      <Text c="dimmed" mt="xs" mb="lg">
        {signedIn
          ? "Slides that are shared with you, or are public, will be here."
          : "Public slides are here without signing in; there are none now."}
      </Text>
      {!signedIn && <SignInButton />}
    </div>
  );
}

export function NothingFound({ search, onClear }: { readonly search: string; readonly onClear: () => void }) {
  return (
    <div className={styles.empty}>
      <Title order={3}>Nothing found</Title>
      <Text c="dimmed" mt="xs" mb="lg">
        {search ? `No slide matches “${search}” and the filters.` : "No slide matches the filters."}
      </Text>
      <Button variant="default" onClick={onClear}>
        Show all slides
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
      title={recovers ? "The service does not answer" : "The catalog cannot be shown"}
      mb="lg"
      data-testid="service-offline"
    >
      {recovers ? (
        <Text size="sm" component="span">
          Trying again by itself. <Loader size={12} type="dots" ml={6} />
        </Text>
      ) : (
        explain(error)
      )}
    </Alert>
  );
}
