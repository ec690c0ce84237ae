import { type Opt, types } from "@mikro-orm/core";
import { Entity, OneToOne, Property, Unique } from "@mikro-orm/decorators/legacy";
import { User } from "#api/people/users/user.entity.ts";

/** A user as the payment provider knows them. */
@Entity({ tableName: "payment_customers" })
export class PaymentCustomer {
  @OneToOne(() => User, { primary: true, deleteRule: "cascade" })
  user!: User;

  @Unique()
  @Property({ type: types.string })
  providerCustomerId!: string;

  /** Counts how often the provider was asked for everything of this customer; see `sync-customer.ts`. */
  @Property({ type: types.bigint })
  lastRead: Opt<bigint> = 0n;

  /** The asking whose answer was applied last; an older answer that comes later is not. */
  @Property({ type: types.bigint })
  lastApplied: Opt<bigint> = 0n;
}
