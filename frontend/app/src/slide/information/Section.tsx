import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { Fact } from "./facts";
import styles from "./information.module.css";

interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function Section({ title, children }: SectionProps) {
  return (
    <section aria-label={title}>
      <Title order={3} size="h6" mb={4}>
        {title}
      </Title>
      {children}
    </section>
  );
}

/** A part of a section. */
export function Part({ title, children }: SectionProps) {
  return (
    <div role="group" aria-label={title}>
      <Title order={4} size="xs" c="dimmed" mb={4}>
        {title}
      </Title>
      {children}
    </div>
  );
}

/** Names and values. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value, href }) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{href ? <a href={href}>{value}</a> : value}</dd>
        </div>
      ))}
    </dl>
  );
}
