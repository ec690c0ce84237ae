import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";
import { PromoCode } from "./promo-code.entity.ts";

/** One use of a promo code: reserved while its checkout is being paid, then redeemed. */
@Entity({ tableName: "promo_redemptions" })
export class PromoRedemption {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => PromoCode)
  promoCode!: PromoCode;

  @Index()
  @ManyToOne(() => User)
  user!: User;

  /** The checkout that uses the code. Each checkout uses at most one code. */
  @Unique()
  @Property({ type: types.uuid })
  checkoutId!: string;

  @Property({ type: types.string })
  state: Opt<"held" | "redeemed"> = "held";

  /** Time the reservation expires; null once redeemed. */
  @Property({ type: types.datetime, nullable: true })
  heldUntil: Date | null = null;

  @Property({ type: types.datetime })
  createdAt!: Date;
}
