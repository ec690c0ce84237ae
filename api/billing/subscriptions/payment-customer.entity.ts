import { type Opt, types } from "@mikro-orm/core";
import { Entity, OneToOne, Property, Unique } from "@mikro-orm/decorators/legacy";
import { Classified, Text } from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";

/** A user's customer record at the payment provider. */
@Entity({ tableName: "payment_customers" })
export class PaymentCustomer {
  @Classified({ kept: "Needed for late refunds and disputes." })
  @OneToOne(() => User, { primary: true, deleteRule: "cascade" })
  user!: User;

  @Unique()
  @Text({ personal: { kept: "Needed for late refunds and disputes." } })
  providerCustomerId!: string;

  /** Number of times this customer was read from the provider; see `sync-customer.ts`. */
  @Property({ type: types.bigint })
  lastRead: Opt<bigint> = 0n;

  /** Number of the read that was applied last. Results of an older read are discarded. */
  @Property({ type: types.bigint })
  lastApplied: Opt<bigint> = 0n;
}
