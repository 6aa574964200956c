import { Kbd } from "@mantine/core";
import { keyCaps } from "../ui/keys/keyCaps";
import styles from "./keyboard.module.css";

/** A key and its modifier keys, drawn as caps. */
export function KeyCaps({ name }: { readonly name: string }) {
  return (
    <span className={styles.caps}>
      {keyCaps(name).map((cap) => (
        <Kbd key={cap}>{cap}</Kbd>
      ))}
    </span>
  );
}
