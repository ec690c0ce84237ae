import type { Opt } from "@mikro-orm/core";
import { Entity, Index } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { kept, Cents, Integer, Moment, Reference, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";

/**
 * A customer's attempt to subscribe. Its id is the provider's idempotency key, so repeated requests from a double click
 * or after a lost response create one subscription and one charge.
 */
@Entity({ tableName: "checkouts" })
@SqlIndex(
  "create unique index checkouts_one_open_a_user on checkouts (user_id) where state in ('open', 'needs_authentication')",
)
@SqlIndex("create unique index checkouts_request_key on checkouts (user_id, request_key) where request_key is not null")
export class Checkout {
  @RowId()
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => User, { deleteRule: "cascade", personal: kept.books })
  user!: User;

  /** The client's idempotency key; null if it sent none. */
  @Text({ nullable: true, personal: "none" })
  requestKey: string | null = null;

  @Text({ personal: kept.books })
  planPrice!: string;

  /** The code as typed. Its redemption is stored with the promo code. */
  @Text({ nullable: true, personal: kept.books })
  promoCode: string | null = null;

  /** `declined` and `abandoned` checkouts have no subscription; `paid` ones have one. */
  @Text({ personal: "none" })
  state: Opt<"open" | "needs_authentication" | "paid" | "declined" | "abandoned"> = "open";

  /** The card of the first attempt. Repeated requests charge the same card. */
  @Text({ nullable: true, personal: { kept: "ID of a card that is removed at the payment provider." } })
  paymentMethodId: string | null = null;

  @Text({ nullable: true, personal: kept.books })
  providerSubscriptionId: string | null = null;

  @Integer()
  gstBasisPoints!: number;

  /** The plan's price when the checkout was opened, in cents before discount and GST; null for older checkouts. */
  @Cents({ nullable: true })
  audCents: number | null = null;

  /** Discount on the first invoice, in cents before GST. */
  @Cents()
  discountCents!: number;

  /** Amount of the first charge, in cents including GST. */
  @Cents()
  totalCents!: number;

  /** The reason for the decline, shown to the customer. */
  @Text({ nullable: true, personal: "none" })
  message: string | null = null;

  @Moment()
  createdAt!: Date;

  @Moment({ nullable: true })
  endedAt: Date | null = null;
}
