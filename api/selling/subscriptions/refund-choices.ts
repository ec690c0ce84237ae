import type { EntityManager } from "#api/platform/database/database.ts";
import { createSlot } from "#api/platform/slots.ts";

/** Returns what staff chose for the licence, by the ids of their refunds, oldest first; other refunds are left out. */
export type RefundChoices = (
  em: EntityManager,
  refundIds: readonly string[],
) => Promise<ReadonlyMap<string, "keep" | "end">>;

/** The choices of staff about the licence after a refund, which `billing/refunds` stores. */
export const refundChoices = createSlot<RefundChoices>("the choices of staff about refunds");
