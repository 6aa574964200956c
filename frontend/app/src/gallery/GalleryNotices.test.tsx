import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Account, Role } from "@wavescope/core/wire/accounts/accountClient";
import { OfflineError } from "@wavescope/core/wire/http/errors";
import { openPage } from "../fakePage";
import { rendered } from "../rendered";
import { queryClient } from "../state/queries";
import { CatalogFailure, EmptyGallery, NothingFound } from "./GalleryNotices";

vi.mock("../accounts/SignInButton", () => ({ SignInButton: () => <a href="/sign-in">Sign in</a> }));
vi.mock("./GalleryHeader", () => ({ UploadButton: () => <button type="button">Upload</button> }));

beforeEach(() => void openPage("/"));
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

const account = (role: Role | null): Account => ({
  mode: "accounts",
  user: role && { id: "u", name: "ada", title: "Ada", role, password: true },
  provider: null,
  renewAfter: null,
});
const local: Account = { ...account(null), mode: "local" };

describe("an empty gallery", () => {
  it.each<[string, Account | null, boolean, boolean]>([
    ["an instructor", account("instructor"), true, false],
    ["everyone without accounts", local, true, false],
    ["anyone before the account is known", null, true, false],
    ["a viewer", account("viewer"), false, false],
    ["a stranger", account(null), false, true],
  ])("offers %s to upload or to sign in", (_, now, upload, signIn) => {
    if (now) queryClient.setQueryData(["account"], now);
    const html = rendered(<EmptyGallery />);
    expect([html.includes("Upload"), html.includes("/sign-in")]).toEqual([upload, signIn]);
  });
});

it("a search that finds nothing is named, as text", () => {
  const [words, filters] = ["<b>", ""].map((search) =>
    rendered(<NothingFound search={search} filtered={false} onClear={() => undefined} />),
  );
  expect(words).toContain("&lt;b&gt;");
  expect(filters).not.toContain("&lt;b&gt;");
});

it("a catalog that fails is shown with its reason, or as one that recovers by itself", () => {
  const [offline, fault] = [new OfflineError("raw"), new Error("the catalog is broken")].map((error) =>
    rendered(<CatalogFailure error={error} />),
  );
  expect(offline).not.toContain("raw");
  expect(fault).toContain("the catalog is broken");
});
