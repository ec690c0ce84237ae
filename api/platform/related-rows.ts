import type { EntityName, FilterQuery, OrderDefinition } from "@mikro-orm/core";
import DataLoader from "dataloader";
import type { Context } from "./context.ts";
import type { EntityManager } from "./database.ts";

/** Rows of one entity that belong to a row of another. */
export interface Relation<Row extends object> {
  readonly entity: EntityName<Row>;
  /** The property of `entity` that says to whom a row belongs. */
  readonly of: keyof Row & string;
  /** Their order in every answer; ends with something unique. */
  readonly orderBy: OrderDefinition<Row>;
  readonly where?: FilterQuery<Row>;
}

// One loader a unit of work and relation: a page of owners costs one statement.
const loaders = new WeakMap<EntityManager, Map<object, DataLoader<string, object[]>>>();

/** The rows that belong to one owner, batched with those of the other owners asked for meanwhile. */
export function relatedRows<Row extends object>(
  { em }: Pick<Context, "em">,
  relation: Relation<Row>,
  ownerId: string,
): Promise<Row[]> {
  const ofUnit = loaders.get(em) ?? new Map<object, DataLoader<string, object[]>>();
  loaders.set(em, ofUnit);
  let loader = ofUnit.get(relation);
  if (!loader) {
    loader = new DataLoader<string, object[]>(
      async (ids) => {
        const { entity, of, orderBy, where } = relation;
        const rows = await em.find(
          entity,
          { ...(where as object), [of]: { $in: [...ids] } } as never,
          { orderBy } as never,
        );
        const byOwner = new Map<string, object[]>(ids.map((id) => [id, []]));
        for (const row of rows as Record<string, { id: string }>[]) byOwner.get(row[of]?.id ?? "")?.push(row);
        return ids.map((id) => byOwner.get(id) ?? []);
      },
      { cache: false },
    );
    ofUnit.set(relation, loader);
  }
  return loader.load(ownerId) as Promise<Row[]>;
}
