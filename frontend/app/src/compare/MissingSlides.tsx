import { Button, Center, Text } from "@mantine/core";
import { mayRecover } from "@wavescope/core/wire/http/errors";
import { Failure } from "../accounts/Failure";
import { SignInButton } from "../accounts/SignInButton";
import { useAccount } from "../accounts/account";
import { ErrorPage } from "../ui/ErrorPage";
import { pageErrorOf } from "../ui/pageErrors";
import { caseQuery, navigate, slidePath } from "../state/router";
import { SlideChooser } from "./SlideChooser";
import { chooseSlide } from "./chooser";
import { compare } from "./goCompare";
import { t } from "@wavescope/core/i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

export interface SideOfComparison {
  /** Null: the address names none. */
  readonly id: string | null;
  readonly title: string | null;
  /** Why it cannot be opened; null: it can, or nothing is known yet. */
  readonly error: Error | null;
}

interface Props {
  readonly left: SideOfComparison;
  readonly right: SideOfComparison;
}

const cannotBeShown = ({ id, error }: SideOfComparison): boolean => id === null || error !== null;

/** In place of the comparison: which slide cannot be shown, and what can be done with the other one. */
export function MissingSlides({ left, right }: Props) {
  usePageTitle(t("compare.pageTitle"));
  const account = useAccount();
  const { id: one } = left;
  const { id: other } = right;
  const error = left.error ?? right.error;
  const lost = cannotBeShown(left) ? left : right;
  const good = [left, right].find((side) => !cannotBeShown(side));
  const side = lost === left ? "left" : "right";
  const replace = (): void =>
    chooseSlide(t(side === "left" ? "compare.showOnLeft" : "compare.showOnRight"), (chosen) =>
      side === "left" ? compare(chosen, other ?? chosen) : compare(one ?? chosen, chosen),
    );
  const rejected = error && pageErrorOf(error, "slide", account);
  return (
    <Center component="main" mih="100dvh" p="md">
      {error && (mayRecover(error) || (left.error && right.error)) ? (
        <Failure error={error} thing="slide" />
      ) : (
        <ErrorPage
          title={titleOf(side, lost, good)}
          reason={
            rejected ? (
              <>
                <Text span display="block" fw={600}>
                  {lost.id}
                </Text>
                {rejected.reason}
              </>
            ) : (
              CHOOSE
            )
          }
          kind={rejected?.kind}
        >
          {rejected?.kind === "sign-in" && <SignInButton />}
          {good && <Button onClick={replace}>{t("compare.chooseAnotherSlide")}</Button>}
          {good?.id && (
            <Button variant="default" onClick={() => navigate(slidePath(good.id!), caseQuery())}>
              {t("compare.openAlone", { title: good.title ?? good.id })}
            </Button>
          )}
        </ErrorPage>
      )}
      <SlideChooser />
    </Center>
  );
}

const CHOOSE = t("compare.chooseTwoHint");

function titleOf(side: "left" | "right", lost: SideOfComparison, good: SideOfComparison | undefined): string {
  if (lost.id === null) return good ? t("compare.onlyOneSlide") : t("compare.noSlides");
  return t(side === "left" ? "compare.leftCannotBeShown" : "compare.rightCannotBeShown");
}
