import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openPage } from "../fakePage";
import { rendered } from "../rendered";
import { GalleryHeader } from "./GalleryHeader";

vi.mock("../accounts/account", () => ({ useMay: () => false }));
vi.mock("../accounts/AccountMenu", () => ({ AccountMenu: () => null }));
vi.mock("../ui/SchemeToggle", () => ({ SchemeToggle: () => null }));

beforeEach(() => void openPage("/?search=duct"));
afterEach(() => vi.unstubAllGlobals());

it("leads everybody to where the code of a session is typed", () => {
  const html = rendered(<GalleryHeader search="duct" onSearch={() => undefined} />);
  expect(html).toMatch(/<a [^>]*href="\/join"/);
});
