import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Subscription } from "#api/billing/subscriptions/subscription.entity.ts";

/** A subscriber whom staff move to the current price of their plan at the next renewal (docs/domain.md#price-changes). */
@Entity({ tableName: "price_moves" })
@Unique({ properties: ["key", "subscription"] })
@Index({
  name: "price_moves_queued",
  expression: "create unique index price_moves_queued on price_moves (subscription_id) where state = 'queued'",
})
export class PriceMove {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** The idempotency key of the request. */
  @Property({ type: types.uuid })
  key!: string;

  @Index()
  @ManyToOne(() => Subscription, { deleteRule: "cascade" })
  subscription!: Subscription;

  @Property({ type: types.string })
  planPrice!: string;

  /** Amounts per period, in cents before GST. */
  @Property({ type: types.integer })
  fromCents!: number;

  @Property({ type: types.integer })
  audCents!: number;

  /** The renewal that charges the new price. */
  @Property({ type: types.datetime })
  renewsAt!: Date;

  /** `skipped` if the subscription changed in the meantime. */
  @Property({ type: types.string })
  state: Opt<"queued" | "done" | "skipped"> = "queued";

  @Property({ type: types.datetime })
  createdAt!: Date;
}
