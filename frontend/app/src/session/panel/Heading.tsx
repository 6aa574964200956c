import { Title } from "@mantine/core";

/** Of a part of the panel. */
export function Heading({ children }: { readonly children: React.ReactNode }) {
  return (
    <Title order={3} size="h6">
      {children}
    </Title>
  );
}
