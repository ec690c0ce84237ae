import { type EntityManager, query } from "./database.ts";

/** Returns the value of a setting that the product keeps in the database; null if it has none. */
export async function readSetting<Value>(em: EntityManager, name: string): Promise<Value | null> {
  const [setting] = await query<{ value: Value }>(em, "select value from settings where name = $1", [name]);
  return setting?.value ?? null;
}

/**
 * Locks a setting until the transaction of `em` ends. Stores `initial` if it has no value yet.
 * @returns its value; null if another transaction has locked it
 */
export async function takeSetting<Value>(em: EntityManager, name: string, initial: object): Promise<Value | null> {
  await query(em, "insert into settings (name, value) values ($1, $2) on conflict (name) do nothing", [
    name,
    JSON.stringify(initial),
  ]);
  const [setting] = await query<{ value: Value }>(
    em,
    "select value from settings where name = $1 for update skip locked",
    [name],
  );
  return setting?.value ?? null;
}

/** Stores the value of a setting in the transaction of `em`. */
export async function saveSetting(em: EntityManager, name: string, value: object): Promise<void> {
  await query(
    em,
    "insert into settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value",
    [name, JSON.stringify(value)],
  );
}
