import { Alert, Button, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { explain } from "@wavescope/core/wire/http/explain";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { paneName } from "@wavescope/viewer/compare/address";
import type { ComparisonReceipt } from "@wavescope/viewer/compare/receipt";
import type { Receipt, ShownSlide, Taken } from "@wavescope/viewer/view/receipt/receipt";
import { version } from "../../../package.json";
import { useAccount } from "../accounts/account";
import { Facts } from "../ui/Facts";
import { notify } from "../ui/notice";
import { saveText } from "../ui/saveFile";
import { layoutFacts, paneFacts, shownFacts, takenFacts, verdictOf } from "./receiptFacts";
import styles from "./receipt.module.css";
import { t } from "@wavescope/core/i18n/i18n";

type AnyReceipt = Receipt | ComparisonReceipt;

interface Props {
  /** Of the slides on the page, in their order. */
  readonly manifests: readonly Manifest[];
  /** Of the file, without its ending. */
  readonly name: string;
  /** Null: nothing is in view. */
  readonly take: (whom: Pick<Taken, "wavescope" | "account">) => Promise<AnyReceipt | null>;
  readonly onClose: () => void;
}

/** What is shown now, as a receipt: read first, then saved. A page of files asks no service who its user is. */
export function ReceiptForm(props: Props) {
  return props.manifests.some(({ files }) => files) ? <Taking {...props} account={null} /> : <OfUser {...props} />;
}

function OfUser(props: Props) {
  const account = useAccount();
  return account ? <Taking {...props} account={account.user?.name ?? null} /> : <Making />;
}

function Taking({ manifests, name, take, account, onClose }: Props & { readonly account: string | null }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["receipt", ...manifests.map(({ url }) => url)],
    queryFn: () => take({ wavescope: version, account }),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  if (error)
    return (
      <Alert color="red" title={t("receipt.notMade")}>
        <Text size="sm" mb="xs">
          {explain(error)}
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
          {t("common.tryAgain")}
        </Button>
      </Alert>
    );
  if (data === undefined) return <Making />;
  if (data === null) return <Text size="sm">{t("receipt.nothing")}</Text>;
  const save = (): void => {
    const saved = saveText(`${name}-receipt.json`, `${JSON.stringify(data, null, 1)}\n`, "application/json");
    notify(t("receipt.saved", { name: saved }));
    onClose();
  };
  return (
    <Stack gap="sm" data-testid="receipt">
      <Text size="sm" c="dimmed">
        {t("receipt.hint")}
      </Text>
      {"panes" in data ? (
        <Panes receipt={data} manifests={manifests} />
      ) : (
        <Shown shown={data} planes={manifests[0]!.planes} />
      )}
      <Facts facts={takenFacts(data)} />
      <Text size="sm" c="dimmed">
        {t("receipt.notSigned")}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button leftSection={<IconDownload size={16} />} onClick={save}>
          {t("receipt.save")}
        </Button>
      </Group>
    </Stack>
  );
}

/** Compared slides, each with its letter. */
function Panes({
  receipt,
  manifests,
}: {
  readonly receipt: ComparisonReceipt;
  readonly manifests: readonly Manifest[];
}) {
  const blended = receipt.swipe !== null && receipt.swipe.blend > 0 && receipt.swipe.blend < 1;
  return (
    <>
      <Facts facts={layoutFacts(receipt)} />
      {receipt.panes.map((pane) => {
        const { title, planes } = manifests.find((_, number) => paneName(number) === pane.pane)!;
        return (
          <section key={pane.pane} aria-label={t("compare.paneNamed", { pane: pane.pane, title })}>
            <Title order={3} size="h6" mb={4}>
              {t("compare.paneNamed", { pane: pane.pane, title })}
            </Title>
            <Facts facts={paneFacts(pane)} />
            <Shown shown={pane} planes={planes} blended={blended} />
          </section>
        );
      })}
    </>
  );
}

interface ShownProps {
  readonly shown: ShownSlide;
  readonly planes: number;
  readonly blended?: boolean;
}

function Shown({ shown, planes, blended }: ShownProps) {
  return (
    <Stack gap="sm">
      <img className={styles.picture} src={shown.picture} alt={t("receipt.picture")} />
      <Text size="sm" fw={600}>
        {verdictOf(shown, blended)}
      </Text>
      <Facts facts={shownFacts(shown, planes)} />
    </Stack>
  );
}

function Making() {
  return (
    <Group role="status">
      <Loader size="sm" aria-hidden />
      <Text size="sm">{t("receipt.making")}</Text>
    </Group>
  );
}
