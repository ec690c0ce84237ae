import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
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
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => TaxInvoice)
  document!: TaxInvoice;

  /** The subscription whose pauses move the days. */
  @Index()
  @ManyToOne(() => Subscription, { nullable: true })
  subscription: Subscription | null = null;

  /** The licence that the amount pays for. Its early end releases the rest. */
  @Index()
  @ManyToOne(() => Licence, { nullable: true })
  licence: Licence | null = null;

  /** Day of issue. Earlier days count on it, so that an earlier report doesn't change. */
  @Property({ type: types.date })
  bookedOn!: string;

  /** Null for an amount without a service period, which is earned on the day of issue. */
  @Property({ type: types.date, nullable: true })
  firstDay: string | null = null;

  /** Number of days on which the amount is earned; 0 without a service period. */
  @Property({ type: types.integer })
  days!: number;

  /** Last of these days. A pause moves it. */
  @Property({ type: types.date, nullable: true })
  lastDay: string | null = null;

  /** Day on which everything that was left is earned, because the licence ended. */
  @Property({ type: types.date, nullable: true })
  endedOn: string | null = null;

  /**
   * The part of the line's amount that was left before the document, and after it, in cents: 0 and the amount for an
   * invoice. The document's amount is the difference. A note's share of a day is the difference of both shares, so that
   * the deferred amount of an invoice with several notes is never rounded below zero.
   */
  @Property({ type: types.integer })
  fromCents!: number;

  @Property({ type: types.integer })
  toCents!: number;
}
