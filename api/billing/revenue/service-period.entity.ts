import type { Opt } from "@mikro-orm/core";
import { Entity, Index } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Cents, Day, Integer, Reference, RowId } from "#api/platform/database/columns.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";

/**
 * An amount of a tax invoice or adjustment note without GST, and the days over which it is earned
 * (docs/domain.md#revenue). Written in the transaction that issues the document. Afterwards, only a pause moves its last
 * day, and an early end of the licence sets `endedOn`. Days are `YYYY-MM-DD` in the vendor's time zone.
 */
@Entity({ tableName: "service_periods" })
@Index({ properties: ["bookedOn", "lastDay"] })
export class ServicePeriod {
  @RowId()
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => TaxInvoice, { personal: "none" })
  document!: TaxInvoice;

  /** The subscription whose pauses move the days. */
  @Index()
  @Reference(() => Subscription, { nullable: true, personal: "none" })
  subscription: Subscription | null = null;

  /** The licence that the amount pays for. Its early end releases the rest. */
  @Index()
  @Reference(() => Licence, { nullable: true, personal: "none" })
  licence: Licence | null = null;

  /** Day of issue. Earlier days count on it, so that an earlier report doesn't change. */
  @Day()
  bookedOn!: string;

  /** Null for an amount without a service period, which is earned on the day of issue. */
  @Day({ nullable: true })
  firstDay: string | null = null;

  /** Number of days on which the amount is earned; 0 without a service period. */
  @Integer()
  days!: number;

  /** Last of these days. A pause moves it. */
  @Day({ nullable: true })
  lastDay: string | null = null;

  /** Day on which everything that was left is earned, because the licence ended. */
  @Day({ nullable: true })
  endedOn: string | null = null;

  /**
   * The part of the line's amount that was left before the document, and after it, in cents: 0 and the amount for an
   * invoice. The document's amount is the difference. A note's share of a day is the difference of both shares, so that
   * the deferred amount of an invoice with several notes is never rounded below zero.
   */
  @Cents()
  fromCents!: number;

  @Cents()
  toCents!: number;
}
