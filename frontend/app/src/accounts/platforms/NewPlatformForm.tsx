import { Alert, Button, Paper, SimpleGrid, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import { type Platforms, addPlatform } from "@wavescope/core/wire/accounts/platformsClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { Copied } from "./Copied";

const FIELDS = [
  { name: "title", label: t("common.title"), longest: 200, type: "text" },
  { name: "issuer", label: t("platforms.issuer"), longest: 255, type: "url" },
  { name: "client_id", label: t("platforms.clientId"), longest: 255, type: "text" },
  { name: "authorize_url", label: t("platforms.authorizeUrl"), longest: 2000, type: "url" },
  { name: "token_url", label: t("platforms.tokenUrl"), longest: 2000, type: "url" },
  { name: "keys_url", label: t("platforms.keysUrl"), longest: 2000, type: "url" },
] as const;

const EMPTY = { title: "", issuer: "", client_id: "", authorize_url: "", token_url: "", keys_url: "" };

interface Props {
  readonly platforms: Platforms;
  readonly onAdded: () => Promise<void>;
}

/** What the platform states of itself, and what is entered there. */
export function NewPlatformForm({ platforms: { login_url, launch_url, keys_url }, onAdded }: Props) {
  const [facts, setFacts] = useState(EMPTY);
  const [deployments, setDeployments] = useState("");
  const add = useMutation({
    mutationFn: () => addPlatform({ ...trimmed(facts), deployments: separated(deployments) }),
    onSuccess: onAdded,
  });
  const submit = (event: React.SubmitEvent): void => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <Paper withBorder p="md" component="form" onSubmit={submit} aria-label={t("platforms.addByHand")}>
      <Text size="sm" mb="xs">
        {t("platforms.enterThere")}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }} mb="lg">
        <Copied name={t("platforms.loginUrl")} value={login_url} />
        <Copied name={t("platforms.redirectUrl")} value={launch_url} />
        <Copied name={t("platforms.keysUrl")} value={keys_url} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {FIELDS.map(({ name, label, longest, type }) => (
          <TextInput
            key={name}
            label={label}
            type={type}
            required
            maxLength={longest}
            value={facts[name]}
            onChange={(event) => setFacts({ ...facts, [name]: event.currentTarget.value })}
          />
        ))}
        <TextInput
          label={t("platforms.deployments")}
          description={t("platforms.deploymentsHint")}
          value={deployments}
          onChange={(event) => setDeployments(event.currentTarget.value)}
        />
      </SimpleGrid>
      {add.error && (
        <Alert color="red" mt="sm">
          {explain(add.error)}
        </Alert>
      )}
      <Button type="submit" mt="md" loading={add.isPending}>
        {t("common.add")}
      </Button>
    </Paper>
  );
}

const trimmed = (facts: typeof EMPTY): typeof EMPTY =>
  Object.fromEntries(Object.entries(facts).map(([name, text]) => [name, text.trim()])) as typeof EMPTY;

const separated = (text: string): string[] =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
