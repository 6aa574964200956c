import { Button, Center, Text } from "@mantine/core";
import { mayRecover } from "@wavescope/core/wire/http/errors";
import { paneName } from "@wavescope/viewer/compare/address";
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

export interface NamedSlide {
  readonly id: string;
  readonly title: string;
  /** Why it cannot be opened; null: it can, or nothing is known yet. */
  readonly error: Error | null;
}

/** In place of the comparison: which slide cannot be shown, or that there are too few, and what can be done with the others. */
export function MissingSlides({ slides }: { readonly slides: readonly NamedSlide[] }) {
  usePageTitle(t("compare.pageTitle"));
  const account = useAccount();
  const failed = slides.findIndex(({ error }) => error);
  const lost = slides[failed];
  const good = slides.find(({ error }) => !error);
  const pane = lost ? failed : slides.length;
  const replace = (): void =>
    chooseSlide(t("compare.showIn", { pane: paneName(pane) }), (id) =>
      compare(slides.map((slide) => slide.id).toSpliced(pane, 1, id)),
    );
  const rejected = lost?.error && pageErrorOf(lost.error, "slide", account);
  return (
    <Center component="main" mih="100dvh" p="md">
      {lost?.error && (mayRecover(lost.error) || !good) ? (
        <Failure error={lost.error} thing="slide" />
      ) : (
        <ErrorPage
          title={
            lost
              ? t("compare.cannotBeShown", { pane: paneName(pane) })
              : t(good ? "compare.onlyOneSlide" : "compare.noSlides")
          }
          reason={
            rejected ? (
              <>
                <Text span display="block" fw={600}>
                  {lost?.id}
                </Text>
                {rejected.reason}
              </>
            ) : (
              t("compare.chooseTwoHint")
            )
          }
          kind={rejected?.kind}
        >
          {rejected?.kind === "sign-in" && <SignInButton />}
          {good && <Button onClick={replace}>{t("compare.chooseAnotherSlide")}</Button>}
          {good && (
            <Button variant="default" onClick={() => navigate(slidePath(good.id), caseQuery())}>
              {t("compare.openAlone", { title: good.title })}
            </Button>
          )}
        </ErrorPage>
      )}
      <SlideChooser />
    </Center>
  );
}
