import { expect, it } from "vitest";
import { Waiting } from "./waiting";

it("gives each question its answer, and all that are open an error once they have no answer (LI23)", async () => {
  const waiting = new Waiting<string>();
  const ids: number[] = [];
  const ask = () => waiting.ask((id) => void ids.push(id));
  const [first, second, third, fourth] = [ask(), ask(), ask(), ask()];
  waiting.resolve(ids[1]!, "two");
  waiting.reject(ids[0]!, new Error("one"));
  waiting.rejectAll(new Error("gone"));
  await expect(first).rejects.toThrow("one");
  await expect(second).resolves.toBe("two");
  await expect(third).rejects.toThrow("gone");
  await expect(fourth).rejects.toThrow("gone");
});
