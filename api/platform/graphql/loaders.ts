import { type Collection, type EntityName, type FilterQuery, type OrderDefinition, wrap } from "@mikro-orm/core";
import DataLoader from "dataloader";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";

type WithUnit = Pick<Context, "em">;

/**
 * Creates a function that loads one value by its key. Keys requested in the same tick, in the same unit of work and
 * with the same other arguments are read together, so a page of rows needs only as many statements as one row.
 * @param readAll returns a value or an error for each key, in the order of the keys. Keys are unique.
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
      loader = new DataLoader(
        async (keys) => {
          const unique = [...new Set(keys)];
          const values = await readAll(context, unique, ...args);
          const byKey = new Map(unique.map((one, index) => [one, values[index] as Value | Error]));
          return keys.map((one) => byKey.get(one) as Value | Error);
        },
        { cache: false },
      );
      ofUnit.set(name, loader);
    }
    return loader.load(key);
  };
}

/** Creates a function that loads a row by its ID, or null if there is none, batched like {@link createLoader}. */
export function createRowLoader<Row extends { id: string }>(
  entity: EntityName<Row>,
): (context: WithUnit, id: string) => Promise<Row | null> {
  return createLoader(async ({ em }: WithUnit, ids: readonly string[]): Promise<(Row | null)[]> => {
    const found = await em.find<Row>(entity, { id: { $in: [...ids] } } as never);
    const byId = new Map(found.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}

/** Describes rows of one entity that belong to a row of another. */
export interface Relation<Row extends object, Caller = WithUnit> {
  readonly entity: EntityName<Row>;
  /** The property of `entity` that refers to the owner. */
  readonly of: keyof Row & string;
  /** Must end with a unique property. */
  readonly orderBy: OrderDefinition<Row>;
  readonly where?: Partial<Record<keyof Row & string, string | null>> | ((context: Caller) => FilterQuery<Row>);
  /** To-one properties to load with the rows. */
  readonly populate?: readonly (keyof Row & string)[];
}

/** Loads the rows that belong to an owner, by the owner's ID. */
export interface RelationLoader<Row extends object, Caller extends WithUnit = WithUnit> {
  (context: Caller, ownerId: string): Promise<Row[]>;
  readonly relation: Relation<Row, Caller>;
}

/** Creates a function that loads the rows that belong to an owner, batched like {@link createLoader}. */
export function createRelationLoader<Row extends object, Caller extends WithUnit = WithUnit>(
  relation: Relation<Row, Caller>,
): RelationLoader<Row, Caller> {
  const { entity, of, orderBy, where, populate = [] } = relation;
  const load = createLoader(async (context: Caller, ids: readonly string[]) => {
    const filter = { ...((typeof where === "function" ? where(context) : where) as object), [of]: { $in: [...ids] } };
    const rows = await context.em.find<Row>(entity, filter as never, { orderBy, populate: populate as never });
    const byOwner = Map.groupBy(rows, (row) => (row[of] as { id: string }).id);
    return ids.map((id) => byOwner.get(id) ?? []);
  });
  return Object.assign(load, { relation });
}

/** Loads the rows of a to-many property, batched by MikroORM. */
export function loadCollection<Row extends object>(rows: Collection<Row>): Promise<Row[]> {
  return rows.loadItems({ dataloader: true });
}

/** Loads the row that a to-one property refers to, batched by MikroORM. */
export function loadReference<Row extends object>(row: Row): Promise<Row> {
  return wrap(row).toReference().loadOrFail({ dataloader: true });
}
