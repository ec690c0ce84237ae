import { type Collection, type EntityName, type FilterQuery, type OrderDefinition, wrap } from "@mikro-orm/core";
import DataLoader from "dataloader";
import type { Context } from "./context.ts";
import type { EntityManager } from "./database.ts";

type WithUnit = Pick<Context, "em">;

/**
 * Returns a function that loads one value by its key. Keys requested in the same tick, in one unit of work and with the same
 * further arguments, are read together, so that a page of rows costs as many statements as one row.
 * @param readAll returns a value or an error for each key, in the order of the keys
 */
export function createLoader<Key, Value, Caller extends WithUnit, Args extends readonly unknown[]>(
  readAll: (context: Caller, keys: readonly Key[], ...args: Args) => Promise<readonly (Value | Error)[]>,
): (context: Caller, key: Key, ...args: Args) => Promise<Value> {
  const loaders = new WeakMap<EntityManager, Map<string, DataLoader<Key, Value>>>();
  return (context, key, ...args) => {
    const ofUnit = loaders.get(context.em) ?? new Map<string, DataLoader<Key, Value>>();
    loaders.set(context.em, ofUnit);
    const name = JSON.stringify(args);
    let loader = ofUnit.get(name);
    if (!loader) {
      loader = new DataLoader((keys) => readAll(context, keys, ...args), { cache: false });
      ofUnit.set(name, loader);
    }
    return loader.load(key);
  };
}

/** Describes rows of one entity that belong to a row of another. */
interface Relation<Row extends object, Caller> {
  readonly entity: EntityName<Row>;
  /** The property of `entity` that points at the owner. */
  readonly of: keyof Row & string;
  /** Ends with something unique. */
  readonly orderBy: OrderDefinition<Row>;
  readonly where?: (context: Caller) => FilterQuery<Row>;
  /** To-one properties that are read along with the rows. */
  readonly populate?: readonly (keyof Row & string)[];
}

/** Returns a function that loads the rows that belong to an owner by the owner's id, batched as by {@link createLoader}. */
export function createRelationLoader<Row extends object, Caller extends WithUnit = WithUnit>({
  entity,
  of,
  orderBy,
  where,
  populate = [],
}: Relation<Row, Caller>): (context: Caller, ownerId: string) => Promise<Row[]> {
  return createLoader(async (context: Caller, ids: readonly string[]) => {
    const filter = { ...(where?.(context) as object), [of]: { $in: [...new Set(ids)] } };
    const rows = await context.em.find<Row>(entity, filter as never, { orderBy, populate: populate as never });
    const byOwner = Map.groupBy(rows, (row) => (row[of] as { id: string }).id);
    return ids.map((id) => byOwner.get(id) ?? []);
  });
}

/** Loads the rows of a to-many property, batched by MikroORM. */
export function loadCollection<Row extends object>(rows: Collection<Row>): Promise<Row[]> {
  return rows.loadItems({ dataloader: true });
}

/** Loads the row that a to-one property points at, batched by MikroORM. */
export function loadReference<Row extends object>(row: Row): Promise<Row> {
  return wrap(row).toReference().loadOrFail({ dataloader: true });
}
