import { Button, CloseButton, FileButton, TextInput } from "@mantine/core";
import { IconSearch, IconUpload } from "@tabler/icons-react";
import { Brand } from "../Brand";
import { AccountMenu } from "../people/AccountMenu";
import { useMay } from "../people/account";
import { SchemeToggle } from "../SchemeToggle";
import { sendFiles } from "../uploads";
import styles from "./gallery.module.css";

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
      <UploadButton />
      <AccountMenu />
      <SchemeToggle />
    </header>
  );
}

export function UploadButton() {
  if (!useMay("instructor")) return null;
  return (
    <FileButton multiple onChange={(files) => sendFiles(files)}>
      {(props) => (
        <Button {...props} leftSection={<IconUpload size={16} />}>
          Upload
        </Button>
      )}
    </FileButton>
  );
}
