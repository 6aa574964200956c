import { afterEach, expect, it, vi } from "vitest";
import { forbidStorage, openPage } from "../../fakePage";
import { rememberName, rememberedName } from "./nickname";

afterEach(() => vi.unstubAllGlobals());

it("is empty in a new browser and the one given last after that", () => {
  openPage();
  expect(rememberedName()).toBe("");
  rememberName("Ada");
  rememberName("Ada B.");
  expect(rememberedName()).toBe("Ada B.");
});

it("is empty in a browser that forbids storage, without an error", () => {
  forbidStorage();
  rememberName("Ada");
  expect(rememberedName()).toBe("");
});
