import type { EntityManager } from "#api/platform/database/database.ts";
import { isUuid } from "#api/platform/validate.ts";
import { Refund, RefundLicence } from "./refund.entity.ts";

/** Returns what staff chose for the licence, by the ids of their refunds, oldest first. Other refunds are left out. */
export async function findRefundChoices(
  em: EntityManager,
  refundIds: readonly string[],
): Promise<ReadonlyMap<string, "keep" | "end">> {
  const ids = refundIds.filter(isUuid);
  const refunds = ids.length > 0 ? await em.find(Refund, { id: { $in: ids } }, { orderBy: { createdAt: "asc" } }) : [];
  return new Map(refunds.map(({ id, licence }) => [id, licence === RefundLicence.END_NOW ? "end" : "keep"]));
}
