import { Button, CloseButton, FileButton, TextInput } from "@mantine/core";
import { IconSearch, IconUpload, IconUsers } from "@tabler/icons-react";
import { useRef } from "react";
import { Brand } from "../ui/Brand";
import { AccountMenu } from "../accounts/AccountMenu";
import { useMay } from "../accounts/account";
import { SchemeToggle } from "../ui/SchemeToggle";
import { addressOf, follow } from "../state/router";
import { sendFiles } from "../state/uploads";
import styles from "../ui/page.module.css";

interface Props {
  readonly search: string;
  readonly onSearch: (text: string) => void;
}

export function GalleryHeader({ search, onSearch }: Props) {
  const clear = search ? <CloseButton size="sm" onClick={() => onSearch("")} aria-label="Clear the search" /> : null;
  return (
    <header className={styles.header}>
      <h1 className={styles.brand} aria-label="Wavescope">
        <Brand />
        <span>Wavescope</span>
      </h1>
      <TextInput
        className={styles.search}
        type="search"
        placeholder="Search slides"
        aria-label="Search slides"
        leftSection={<IconSearch size={16} />}
        rightSection={clear}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
      <JoinButton />
      <UploadButton />
      <AccountMenu />
      <SchemeToggle />
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
      className={styles.join}
      aria-label="Join a session"
      leftSection={<IconUsers size={16} />}
    >
      <span>Join session</span>
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
        <Button {...props} leftSection={<IconUpload size={16} />}>
          Upload
        </Button>
      )}
    </FileButton>
  );
}
