import { expect, it } from "vitest";
import { foundUsers } from "./foundUsers";

it.each([
  ["", 3],
  ["mul", 1],
  ["MÜLLER j", 1],
  ["a@b", 1],
  ["nobody", 0],
])("AC64: users are found by parts of their names: %s", (search, count) => {
  const users = [
    { name: "jm", title: "Jörg Müller" },
    { name: "a@b", title: "Ann" },
    { name: "vera", title: "Vera" },
  ];
  expect(foundUsers(users, search)).toHaveLength(count);
});
