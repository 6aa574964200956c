import { Button, CloseButton, FileButton, TextInput } from "@mantine/core";
import { IconSearch, IconUpload, IconUsers } from "@tabler/icons-react";
import { useRef } from "react";
import { Brand } from "../ui/Brand";
import { AccountMenu } from "../accounts/AccountMenu";
import { useMay } from "../accounts/account";
import { SettingsButton } from "../settings/SettingsButton";
import { SchemeToggle } from "../ui/SchemeToggle";
import { later } from "../ui/later/Later";
import { addressOf, follow } from "../state/router";
import { LookButton } from "./LookButton";
import { sendFiles } from "./uploads";
import galleryStyles from "./gallery.module.css";
import styles from "../ui/page.module.css";
import { t } from "@wavescope/core/i18n/i18n";

const Bell = later(async () => (await import("./Bell")).Bell, { afterPicture: true });

interface Props {
  readonly search: string;
  readonly onSearch: (text: string) => void;
}

export function GalleryHeader({ search, onSearch }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const empty = (): void => {
    onSearch("");
    field.current?.focus(); // the button goes
  };
  const clear = search ? <CloseButton size="sm" onClick={empty} aria-label={t("gallery.clearSearch")} /> : null;
  return (
    <header className={styles.header}>
      <h1 className={galleryStyles.brand} aria-label={t("common.wavescope")}>
        <Brand />
        <span>{t("common.wavescope")}</span>
      </h1>
      <TextInput
        ref={field}
        className={galleryStyles.search}
        type="search"
        placeholder={t("common.searchSlides")}
        aria-label={t("common.searchSlides")}
        leftSection={<IconSearch size={16} />}
        rightSection={clear}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
      <JoinButton />
      <LookButton />
      <UploadButton />
      <Bell />
      <AccountMenu />
      <SettingsButton />
      <SchemeToggle className={galleryStyles.scheme} />
    </header>
  );
}

/** Where there is little room, its picture alone. */
function JoinButton() {
  return (
    <Button
      component="a"
      href={addressOf("/join")}
      onClick={(event: React.MouseEvent) => follow(event, "/join")}
      variant="default"
      className={galleryStyles.join}
      aria-label={t("join.joinTitle")}
      leftSection={<IconUsers size={16} />}
    >
      <span>{t("gallery.joinSession")}</span>
    </Button>
  );
}

export function UploadButton() {
  const reset = useRef<() => void>(null);
  if (!useMay("instructor")) return null;
  const send = (files: File[]): void => {
    sendFiles(files);
    reset.current?.(); // else the same file, chosen again, would be no change
  };
  return (
    <FileButton multiple resetRef={reset} onChange={send}>
      {(props) => (
        <Button
          {...props}
          className={galleryStyles.upload}
          aria-label={t("gallery.upload")}
          leftSection={<IconUpload size={16} />}
        >
          <span>{t("gallery.upload")}</span>
        </Button>
      )}
    </FileButton>
  );
}
