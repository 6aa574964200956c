import { afterEach, describe, expect, it, vi } from "vitest";
import { ProblemError } from "@wavescope/core/wire/http/errors";
import type { Account } from "@wavescope/core/wire/accounts/accountClient";
import { findLoss, delegatedAccess } from "./lostAccess";

const service = vi.hoisted(() => ({ manifest: vi.fn(), account: vi.fn() }));
vi.mock("@wavescope/core/wire/slides/manifestCheck", () => ({ checkManifest: service.manifest }));
vi.mock("@wavescope/core/wire/accounts/accountClient", () => ({ readAccount: service.account }));

const GONE = new ProblemError("unknown-slide", 404, "Unknown slide", "");
const nobody = { mode: "accounts", user: null, provider: null, renewAfter: null } as Account;
const vera = { ...nobody, user: { id: "u1" } } as Account;

afterEach(() => delegatedAccess.setState({ ended: "" }));

describe("why an open slide is not shown on", () => {
  it.each<[string, Error | null, Account, Account | Error, string, string]>([
    ["another version", null, vera, vera, "", "replaced"],
    ["the sign-in has ended", GONE, vera, nobody, "", "signed-out"],
    ["the account is disabled", GONE, vera, new ProblemError("credentials-expired", 401, "", ""), "", "signed-out"],
    ["the live session has ended", GONE, nobody, nobody, "The session has ended.", "delegated"],
    ["the link has expired or was revoked", GONE, nobody, nobody, "", "unshared"],
    ["it is not shared any more, or deleted", GONE, vera, vera, "", "unshared"],
  ])("%s", async (_, refused, before, now, ended, kind) => {
    delegatedAccess.setState({ ended });
    service.manifest.mockImplementation(() => (refused ? Promise.reject(refused) : Promise.resolve({})));
    service.account.mockImplementation(() => (now instanceof Error ? Promise.reject(now) : Promise.resolve(now)));
    const loss = await findLoss("he", before.user !== null);
    expect(loss.kind).toBe(kind);
    if (kind !== "replaced") expect(loss.title + loss.text).not.toMatch(/replaced/);
    if (ended) expect(loss.text).toBe(ended);
  });

  it("is not guessed while the service does not answer", async () => {
    service.manifest.mockRejectedValue(new ProblemError("unavailable", 503, "", ""));
    await expect(findLoss("he", true)).rejects.toThrow();
  });
});
