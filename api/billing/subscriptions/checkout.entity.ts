import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";

/**
 * A customer's attempt to subscribe. Its id is the provider's idempotency key, so repeated requests from a double click
 * or after a lost response create one subscription and one charge.
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

  /** The client's idempotency key; null if it sent none. */
  @Property({ type: types.string, nullable: true })
  requestKey: string | null = null;

  @Property({ type: types.string })
  planPrice!: string;

  /** The code as typed. Its redemption is stored with the promo code. */
  @Property({ type: types.string, nullable: true })
  promoCode: string | null = null;

  /** `declined` and `abandoned` checkouts have no subscription; `paid` ones have one. */
  @Property({ type: types.string })
  state: Opt<"open" | "needs_authentication" | "paid" | "declined" | "abandoned"> = "open";

  /** The card of the first attempt. Repeated requests charge the same card. */
  @Property({ type: types.string, nullable: true })
  paymentMethodId: string | null = null;

  @Property({ type: types.string, nullable: true })
  providerSubscriptionId: string | null = null;

  @Property({ type: types.integer })
  gstBasisPoints!: number;

  /** The plan's price when the checkout was opened, in cents before discount and GST; null for older checkouts. */
  @Property({ type: types.integer, nullable: true })
  audCents: number | null = null;

  /** Discount on the first invoice, in cents before GST. */
  @Property({ type: types.integer })
  discountCents!: number;

  /** Amount of the first charge, in cents including GST. */
  @Property({ type: types.integer })
  totalCents!: number;

  /** The reason for the decline, shown to the customer. */
  @Property({ type: types.string, nullable: true })
  message: string | null = null;

  @Property({ type: types.datetime })
  createdAt!: Date;

  @Property({ type: types.datetime, nullable: true })
  endedAt: Date | null = null;
}
