import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { kept, Cents, Moment, Reference, RowId, SqlIndex, Text, Uuid } from "#api/platform/database/columns.ts";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";

/** A subscriber whom staff move to the current price of their plan, with notice (docs/domain.md#price-changes). */
@Entity({ tableName: "price_moves" })
@Unique({ properties: ["key", "subscription"] })
@SqlIndex("create unique index price_moves_queued on price_moves (subscription_id) where state = 'queued'")
export class PriceMove {
  @RowId()
  id: Opt<string> = randomUUID();

  /** The idempotency key of the request. */
  @Uuid({ personal: "none" })
  key!: string;

  @Index()
  @Reference(() => Subscription, { deleteRule: "cascade", personal: kept.books })
  subscription!: Subscription;

  @Text({ personal: "none" })
  planPrice!: string;

  /** Amounts per period, in cents before GST. */
  @Cents()
  fromCents!: number;

  @Cents()
  audCents!: number;

  /** The renewal that charges the new price. */
  @Moment()
  renewsAt!: Date;

  /** `queued` until the provider has the price; `skipped` if the subscription changed in the meantime. */
  @Text({ personal: "none" })
  state: Opt<"queued" | "done" | "skipped"> = "queued";

  @Moment()
  createdAt!: Date;
}
