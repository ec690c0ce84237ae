import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/features/accounts/user.entity.ts";
import { Licence } from "#api/features/licences/licence.entity.ts";

/** The paid, renewing agreement at the payment provider that keeps one licence alive. */
@Entity({ tableName: "subscriptions" })
@Index({
  name: "subscriptions_one_active_a_user",
  expression:
    "create unique index subscriptions_one_active_a_user on subscriptions (user_id) where status in ('active', 'past_due')",
})
export class Subscription {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => User)
  user!: User;

  @Index()
  @ManyToOne(() => Licence)
  licence!: Licence;

  /** Price id of the catalogue, such as `xer-professional-yearly`. */
  @Property({ type: types.string })
  planPrice!: string;

  @Property({ type: types.string })
  status!: "active" | "past_due" | "cancelled";

  @Property({ type: types.datetime })
  startedAt!: Date;

  @Property({ type: types.datetime })
  currentPeriodEndsAt!: Date;
}
