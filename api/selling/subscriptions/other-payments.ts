import type { Context } from "#api/platform/context.ts";
import { createSlot } from "#api/platform/slots.ts";

/** Finishes a customer's card payments that don't belong to a subscription. */
export type FinishOtherPayments = (context: Context, customerId: string) => Promise<void>;

/** Payments of invoices by card, which `billing/payments` records. */
export const otherPayments = createSlot<FinishOtherPayments>("the card payments of invoices");
