/** The page of views of one account in this browser: one document with its pictures. It goes with the other databases of the account (PG22). */
import { type DBSchema, openDB } from "idb";
import { VIEWS } from "./database";

interface Schema extends DBSchema {
  page: { key: "page"; value: unknown };
}

const open = (principal: string) =>
  openDB<Schema>(`${VIEWS}${principal}`, 1, {
    upgrade: (database) => void database.createObjectStore("page"),
    blocking: (_now, _next, event) => (event.target as IDBDatabase).close(), // another tab deletes it
  });

/** Undefined where nothing is stored. */
export async function readViews(principal: string): Promise<unknown> {
  const database = await open(principal);
  const page = await database.get("page", "page");
  database.close();
  return page;
}

export async function writeViews(principal: string, page: object): Promise<void> {
  const database = await open(principal);
  await database.put("page", page, "page");
  database.close();
}
