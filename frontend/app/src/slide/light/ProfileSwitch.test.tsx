import { expect, it } from "vitest";
import { rendered } from "../../rendered";
import { ProfileSwitch } from "./ProfileSwitch";

it("says that a profile is applied once the slide is imported (LI5)", () => {
  const colour = { profile: null, state: "unapplied", table: null } as const;
  const html = rendered(<ProfileSwitch colour={colour} applied onChange={() => undefined} />);
  expect(html).toContain("A profile in the file is applied once a service has imported the slide.");
  expect(/<input[^>]*>/.exec(html)?.[0]).toContain("disabled");
});
