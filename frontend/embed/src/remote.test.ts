import { describe, expect, it } from "vitest";
import { ContractError } from "@wavescope/core/wire/http/errors";
import { servedManifest } from "@wavescope/core/wire/testing";
import { openRemote, serviceSlide } from "./remote";

describe("the address of a slide of a service", () => {
  it("is that of its page or of its document (SH20)", () => {
    for (const path of ["/slides/liver%201", "/api/v1/slides/liver%201", "/slides/liver%201?session=a#x=1"])
      expect(serviceSlide(new URL(path, "https://a.example"))).toEqual({ origin: "https://a.example", id: "liver 1" });
    for (const path of ["/slides/", "/slides/liver/", "/slides/liver.wsz", "/static/slides/liver", "/slides/%E0%A4%A"])
      expect(serviceSlide(new URL(path, "https://a.example"))).toBeNull();
  });
});

it("all requests of a slide go to the site of its service (SH20)", async () => {
  const asked: string[] = [];
  const fetcher = (url: string): Promise<Response> => {
    asked.push(url);
    return Promise.resolve(Response.json(servedManifest()));
  };
  const manifest = await openRemote({ origin: "https://a.example", id: "s" }, fetcher);
  expect(manifest.url).toBe("https://a.example/api/v1/slides/s/v/d");
  const traffic = { requested: () => undefined, received: () => undefined };
  await manifest.files!.client(traffic).approximationLayer(0, 0, 1);
  expect(asked).toEqual([
    "https://a.example/api/v1/slides/s",
    "https://a.example/api/v1/slides/s/v/d/approximation/0/0?from=1&to=2",
  ]);
});

it("a document that breaks the contract is refused (SH20)", async () => {
  const fetcher = () => Promise.resolve(Response.json({ id: "s" }));
  await expect(openRemote({ origin: "https://a.example", id: "s" }, fetcher)).rejects.toBeInstanceOf(ContractError);
});
