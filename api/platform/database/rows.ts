import { type EntityName, type FilterQuery, type FindOneOptions, LockMode } from "@mikro-orm/core";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import type { EntityManager } from "./database.ts";

interface Row {
  readonly id: string;
}

/**
 * Returns a row by its id, or by its id and other columns.
 * @throws AppError NOT_FOUND if there is none, or the id is malformed
 */
export async function getRow<Found extends Row, Hint extends string = never>(
  em: EntityManager,
  entity: EntityName<Found>,
  where: string | (FilterQuery<NoInfer<Found>> & Row),
  options: FindOneOptions<Found, Hint> = {},
): Promise<Found> {
  const id = typeof where === "string" ? where : where.id;
  const found = isUuid(id) ? await em.findOne<Found, Hint>(entity, where as never, options) : null;
  if (!found) throw notFound();
  return found as Found;
}

/** Locks a row until the transaction of `em` ends, and returns it like {@link getRow}. */
export function lockRow<Found extends Row, Hint extends string = never>(
  em: EntityManager,
  entity: EntityName<Found>,
  where: string | (FilterQuery<NoInfer<Found>> & Row),
  options: FindOneOptions<Found, Hint> = {},
): Promise<Found> {
  return getRow(em, entity, where, { ...options, lockMode: LockMode.PESSIMISTIC_WRITE });
}
