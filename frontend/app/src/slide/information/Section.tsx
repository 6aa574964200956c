import { Title } from "@mantine/core";
import type { ReactNode } from "react";

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
