import { type FindOptions, LockMode } from "@mikro-orm/core";
import { ProductLevel, trialLevels } from "#schema/product-level.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";
import { recordRevocations } from "#api/licensing/licences/revoke-licences.ts";
import { Subscription } from "./subscription.entity.ts";

/** Single-user levels from low to high. Each legacy level is grouped with its current counterpart. */
const levelsByRank: readonly (readonly number[])[] = [
  [ProductLevel.Standard, 5, 10],
  [ProductLevel.Plus, 6, 11],
  [ProductLevel.Professional, 7, 12],
];

/**
 * Returns the licences that a paid licence with the given level replaces: trials, including legacy ones, and perpetual
 * single-user licences of a lower level without a subscription (docs/domain.md#replaced-licences).
 */
export async function findReplacedLicences(
  em: EntityManager,
  userId: string,
  productLevel: number,
  options: FindOptions<Licence> = {},
): Promise<Licence[]> {
  const rank = levelsByRank.findIndex((levels) => levels.includes(productLevel));
  const lower = levelsByRank.slice(0, Math.max(0, rank)).flat();
  const candidates = await em.find(
    Licence,
    {
      user: userId,
      revokedAt: null,
      // Staff may have issued a licence of these levels for several users, whose seats the new one doesn't have.
      $or: [{ productLevel: { $in: [...trialLevels] } }, { productLevel: { $in: lower }, numberOfUsers: 1 }],
    },
    { ...options, orderBy: { id: "asc" } },
  );
  const subscribed = await em.find(Subscription, { licence: { $in: candidates.map(({ id }) => id) } });
  return candidates.filter((licence) => !subscribed.some((one) => one.licence.id === licence.id));
}

/** Revokes the licences that `replacement` replaces, in the transaction of `em`. */
export async function endReplacedLicences(
  context: Context,
  em: EntityManager,
  user: User,
  replacement: Licence,
): Promise<void> {
  const replaced = await findReplacedLicences(em, user.id, replacement.productLevel, {
    lockMode: LockMode.PESSIMISTIC_WRITE,
  });
  const ended = replaced.filter(({ id }) => id !== replacement.id);
  for (const licence of ended) {
    licence.revokedAt = context.clock.now();
    recordLicenceEvent(context, em, { kind: "revoke", licenceId: licence.id });
  }
  await recordRevocations(context, em, ended, "replaced");
}
