import { Alert, Button, Group, Text } from "@mantine/core";
import { IconId } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { explain } from "@wavescope/core/wire/http/explain";
import { identityImage, identityOf, identityTexts } from "@wavescope/core/wire/catalog/phiClient";
import { Facts } from "../../ui/Facts";
import { Section } from "./Section";
import styles from "./information.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** Label, macro image and identifying texts of the file: only with the right to see them, only on request, and logged. */
export function IdentitySection({ id }: { readonly id: string }) {
  const phi = useQuery({ queryKey: ["identity", id], queryFn: ({ signal }) => identityOf(id, signal), retry: false });
  if (!phi.data || (phi.data.images.length === 0 && phi.data.texts === 0)) return null;
  return (
    <Section title={t("information.labelAndIdentifyingData")}>
      <Text size="xs" c="dimmed" mb={6}>
        {t("information.phiHint")}
      </Text>
      <Pictures key={id} id={id} names={phi.data.images} />
      {phi.data.texts > 0 && <Texts key={`texts-${id}`} id={id} count={phi.data.texts} />}
    </Section>
  );
}

function Pictures({ id, names }: { readonly id: string; readonly names: readonly string[] }) {
  const [shown, setShown] = useState<readonly string[]>([]);
  return (
    <>
      <Group gap="xs" mb={6}>
        {names.map((name) => (
          <Button
            key={name}
            size="compact-sm"
            variant="default"
            leftSection={<IconId size={14} />}
            disabled={shown.includes(name)}
            onClick={() => setShown([...shown, name])}
          >
            {t("information.showName", { name })}
          </Button>
        ))}
      </Group>
      {shown.map((name) => (
        <img
          key={name}
          className={styles.identity}
          src={identityImage(id, name)}
          alt={t("information.imageOfSlide", { name })}
        />
      ))}
    </>
  );
}

function Texts({ id, count }: { readonly id: string; readonly count: number }) {
  const look = useMutation({ mutationFn: () => identityTexts(id) });
  return (
    <>
      {look.data ? (
        <Facts facts={look.data.map(([name, value]) => ({ name, value }))} />
      ) : (
        <Button size="compact-sm" variant="default" loading={look.isPending} onClick={() => look.mutate()}>
          {t("information.showMetadata", { count })}
        </Button>
      )}
      {look.error && <Alert color="red">{explain(look.error)}</Alert>}
    </>
  );
}
