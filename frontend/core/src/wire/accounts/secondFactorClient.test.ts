import { afterEach, expect, it, vi } from "vitest";
import { stubFetch } from "../http/fetchStub";
import * as client from "./secondFactorClient";

afterEach(() => vi.unstubAllGlobals());

const SETUP = { secret: "ABC", uri: "otpauth://totp/Wavescope:ada?secret=ABC" };

it("AC53: reads the state, and sets up in two steps", async () => {
  stubFetch({ active: true, since: null, recovery_codes: 7, required: false });
  expect(await client.readSecondFactor()).toEqual({ active: true, recoveryCodes: 7, required: false });
  const begun = stubFetch(SETUP);
  expect(await client.beginSecondFactor({ password: "p", code: "" })).toEqual(SETUP);
  expect(begun[0]).toMatchObject({ line: "POST /api/v1/account/second-factor", body: { password: "p" } });
  const confirmed = stubFetch({ recovery_codes: ["a", "b"] });
  expect(await client.confirmSecondFactor("123456")).toEqual(["a", "b"]);
  expect(confirmed[0]).toMatchObject({ line: "POST /api/v1/account/second-factor/confirm", body: { code: "123456" } });
});

it("AC58: sends the password with the code, and an admin's reset without", async () => {
  const made = stubFetch({ recovery_codes: ["c"] });
  expect(await client.makeRecoveryCodes({ password: "p", code: "1" })).toEqual(["c"]);
  expect(made[0]).toMatchObject({
    line: "POST /api/v1/account/second-factor/recovery-codes",
    body: { password: "p", code: "1" },
  });
  const off = stubFetch(null);
  await client.turnOffSecondFactor({ password: "p", code: "1" });
  await client.resetSecondFactor("u/1");
  expect(off.map(({ line }) => line)).toEqual([
    "POST /api/v1/account/second-factor/turn-off",
    "DELETE /api/v1/users/u%2F1/second-factor",
  ]);
});

it("AC56: begins at the sign-in", async () => {
  const begun = stubFetch(SETUP);
  expect(await client.beginRequiredSecondFactor("ada", "p")).toEqual(SETUP);
  expect(begun[0]).toMatchObject({
    line: "POST /api/v1/sign-in/second-factor",
    body: { name: "ada", password: "p" },
  });
});
