import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey } from "@mikro-orm/decorators/legacy";
import { Json } from "#api/platform/database/columns.ts";
import { type EntityManager, query } from "./database.ts";

/** A value shared by all processes on one database, such as the offset of the development clock. */
@Entity({ tableName: "settings" })
export class Setting {
  @PrimaryKey({ type: types.string })
  name!: string;

  @Json({ personal: "none" })
  value!: unknown;
}

/**
 * Locks the progress of a sweep in the transaction of `em`, and begins with `initial`.
 * @returns its value, or null while another process has the lock
 */
export async function lockProgress<Value extends object>(
  em: EntityManager,
  name: string,
  initial: Value,
): Promise<Value | null> {
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

/** Stores the progress of a sweep that {@link lockProgress} has locked. */
export async function storeProgress(em: EntityManager, name: string, value: object): Promise<void> {
  await query(em, "update settings set value = $2 where name = $1", [name, JSON.stringify(value)]);
}
