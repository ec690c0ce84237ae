import type { Opt } from "@mikro-orm/core";
import { Entity, Index, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Moment, Reference, RowId, Text, Uuid } from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";
import { PromoCode } from "./promo-code.entity.ts";

/** One use of a promo code: reserved while its checkout is being paid, then redeemed. */
@Entity({ tableName: "promo_redemptions" })
export class PromoRedemption {
  @RowId()
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => PromoCode, { personal: "none" })
  promoCode!: PromoCode;

  @Index()
  @Reference(() => User, { personal: { kept: "Accounting records; also prevent a second use of a one-time code." } })
  user!: User;

  /** The checkout that uses the code. Each checkout uses at most one code. */
  @Unique()
  @Uuid({ personal: { kept: "Accounting records; also prevent a second use of a one-time code." } })
  checkoutId!: string;

  @Text({ personal: "none" })
  state: Opt<"held" | "redeemed"> = "held";

  /** Time the reservation expires; null once redeemed. */
  @Moment({ nullable: true })
  heldUntil: Date | null = null;

  @Moment()
  createdAt!: Date;
}
