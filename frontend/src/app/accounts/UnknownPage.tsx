import { useDocumentTitle } from "@mantine/hooks";
import { RefusalPage } from "../ui/Refusal";

/** At an address that is no page's. */
export function UnknownPage() {
  useDocumentTitle("No such page – Wavescope");
  return <RefusalPage title="There is no such page" reason="The address may be mistyped or out of date." />;
}
