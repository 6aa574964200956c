import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openPage } from "../fakePage";
import { rendered } from "../rendered";
import { rememberGallery } from "../state/router";
import { ConfirmButton } from "./ConfirmButton";
import { ErrorPage, WholeErrorPage } from "./ErrorPage";

beforeEach(() => void openPage("/slides/he?session=5f"));
afterEach(() => vi.unstubAllGlobals());

it("names what cannot be shown and why, and leads back to the gallery as it was", () => {
  rememberGallery({ search: "duct" });
  const html = rendered(<ErrorPage title="Slide not found" reason="It may be deleted." />);
  rememberGallery({});
  expect(html).toMatch(/<h1[^>]*>Slide not found<\/h1>/);
  expect(html).toContain("It may be deleted.");
  expect(html).toContain('href="/?session=5f&amp;search=duct"');
  expect(html).toContain('data-kind="missing"');
});

it.each([
  ["waiting", true],
  ["missing", false],
  ["forbidden", false],
  ["sign-in", false],
  ["fault", false],
] as const)("a refusal of the kind %s is a status that may change: %s", (kind, status) => {
  const html = rendered(<ErrorPage title="T" reason="R" kind={kind} />);
  expect(html.includes('role="status"')).toBe(status);
  expect(html).toContain(`data-kind="${kind}"`);
});

it("has room for what else can be done, before the way back", () => {
  const html = rendered(
    <WholeErrorPage title="T" reason="R" testId="tour-refusal">
      <a href="/sign-in">Sign in</a>
    </WholeErrorPage>,
  );
  expect(html).toContain("<main");
  expect(html).toContain('data-testid="tour-refusal"');
  expect(html.indexOf("/sign-in")).toBeLessThan(html.indexOf('href="/?session=5f"'));
});

it("a button for what cannot be undone is not armed at first", () => {
  const html = rendered(
    <ConfirmButton label="Empty trash" confirmLabel="Delete all" loading={false} onConfirm={() => undefined} />,
  );
  expect(html).toContain("Empty trash");
  expect(html).not.toContain("Delete all");
});
