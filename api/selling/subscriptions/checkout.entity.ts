import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";

/**
 * One intent to subscribe, from the first click to its end. Its id is the provider's idempotency key, so that the
 * same intent sent again, by a double click or after a lost answer, is the same subscription and the same charge.
 */
@Entity({ tableName: "checkouts" })
@Index({
  name: "checkouts_one_open_a_user",
  expression:
    "create unique index checkouts_one_open_a_user on checkouts (user_id) where state in ('open', 'needs_authentication')",
})
@Index({
  name: "checkouts_request_key",
  expression:
    "create unique index checkouts_request_key on checkouts (user_id, request_key) where request_key is not null",
})
export class Checkout {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  /** The client's own name for the intent; null when it gave none. */
  @Property({ type: types.string, nullable: true })
  requestKey: string | null = null;

  @Property({ type: types.string })
  planPrice!: string;

  /** As typed; the redemption itself belongs to the promo code. */
  @Property({ type: types.string, nullable: true })
  promoCode: string | null = null;

  /** `declined` and `abandoned` leave nothing behind; `paid` has its subscription. */
  @Property({ type: types.string })
  state: Opt<"open" | "needs_authentication" | "paid" | "declined" | "abandoned"> = "open";

  /** The card of the first try: others with the same intent charge the same one. */
  @Property({ type: types.string, nullable: true })
  paymentMethodId: string | null = null;

  @Property({ type: types.string, nullable: true })
  providerSubscriptionId: string | null = null;

  @Property({ type: types.integer })
  gstBasisPoints!: number;

  /** Off the first invoice, cents before GST. */
  @Property({ type: types.integer })
  discountCents!: number;

  /** What the card is charged first, cents with GST. */
  @Property({ type: types.integer })
  totalCents!: number;

  /** Why it was declined, for the customer. */
  @Property({ type: types.string, nullable: true })
  message: string | null = null;

  @Property({ type: types.datetime })
  createdAt!: Date;

  @Property({ type: types.datetime, nullable: true })
  endedAt: Date | null = null;
}
