import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Account } from "@wavescope/core/wire/accounts/accountClient";
import { captured } from "../rendered";
import { queryClient } from "../state/queries";
import { accountChanged, useAccount, useHasAccounts, useKnownMay, useMay } from "./account";

const ada: Account = {
  mode: "accounts",
  user: { id: "u", name: "ada", title: "Ada", role: "annotator", password: true },
  provider: null,
  renewAfter: null,
};
const local: Account = { ...ada, mode: "local", user: null };

afterEach(() => queryClient.clear());

describe("what is offered", () => {
  const useRights = () => ({
    account: useAccount(),
    accounts: useHasAccounts(),
    may: useMay("annotator"),
    mayMore: useMay("admin"),
    known: useKnownMay("annotator"),
    knownMore: useKnownMay("admin"),
  });
  const offered = (account: Account | null) => {
    if (account) queryClient.setQueryData(["account"], account);
    return captured(useRights);
  };

  it("before the service has said who one is: everything to click, nothing that the page asks for by itself", () => {
    expect(offered(null)).toEqual({
      account: undefined,
      accounts: false,
      may: true,
      mayMore: true,
      known: false,
      knownMore: false,
    });
  });

  it("to a user with a role: what the role may do", () => {
    expect(offered(ada)).toEqual({
      account: ada,
      accounts: true,
      may: true,
      mayMore: false,
      known: true,
      knownMore: false,
    });
  });

  it("without accounts: everything, but for what only accounts need", () => {
    expect(offered(local)).toMatchObject({ accounts: false, may: true, mayMore: true, known: true, knownMore: true });
  });
});

describe("another user signs in", () => {
  let client: QueryClient;
  beforeEach(() => {
    client = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity, retry: false } } });
  });
  afterEach(() => client.clear());

  it("nothing that was fetched for the user before is shown, and the account is asked for again", async () => {
    client.setQueryData(["account"], ada);
    client.setQueryData(["slides", ""], { slides: ["secret"] });
    client.setQueryData(["manifest", "s"], { id: "s" });
    await accountChanged(client);
    expect([client.getQueryData(["slides", ""]), client.getQueryData(["manifest", "s"])]).toEqual([
      undefined,
      undefined,
    ]);
    expect(client.getQueryData(["account"])).toBe(ada); // until the service has answered
    expect(client.getQueryState(["account"])!.isInvalidated).toBe(true);
  });

  it("the answer that signed the user in stays: an opened link is not asked for twice", async () => {
    client.setQueryData(["link", "token"], { target: "s" });
    client.setQueryData(["manifest", "s"], { id: "s" });
    await accountChanged(client, "link");
    expect(client.getQueryData(["link", "token"])).toEqual({ target: "s" });
    expect(client.getQueryData(["manifest", "s"])).toBeUndefined();
  });

  it("no answer that was underway for the user before comes in, neither while the account is asked for nor later", async () => {
    client.setQueryData(["account"], ada);
    let respondAccount: (account: Account) => void = () => undefined;
    const account = new QueryObserver<Account>(client, {
      queryKey: ["account"],
      queryFn: () => new Promise((resolve) => (respondAccount = resolve)),
      staleTime: Infinity,
    });
    const leave = account.subscribe(() => undefined);
    let response: (slides: unknown) => void = () => undefined;
    const signals: AbortSignal[] = [];
    const underway = client.query({
      queryKey: ["slides", ""],
      queryFn: ({ signal }) => {
        signals.push(signal);
        return new Promise((resolve) => (response = resolve));
      },
    });
    const ended = expect(underway).rejects.toThrow();
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    const changed = accountChanged(client);
    response({ slides: ["secret"] });
    await ended;
    expect(signals[0]!.aborted).toBe(true);
    expect(client.getQueryData(["slides", ""])).toBeUndefined();
    await vi.waitFor(() => expect(client.getQueryState(["account"])!.fetchStatus).toBe("fetching"));
    respondAccount(local);
    await changed;
    expect(client.getQueryData(["account"])).toEqual(local);
    expect(client.getQueryData(["slides", ""])).toBeUndefined();
    leave();
  });
});
