import { types } from "@mikro-orm/core";
import { Entity, Index, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/**
 * Inbox of the provider's webhook events. Each event is stored once under its id, and applied by reading its customer
 * from the provider again.
 */
@Entity({ tableName: "payment_notices" })
@Index({
  name: "payment_notices_waiting",
  expression: "create index payment_notices_waiting on payment_notices (received_at) where applied_at is null",
})
export class PaymentNotice {
  @PrimaryKey({ type: types.string })
  id!: string;

  @Property({ type: types.string })
  type!: string;

  @Property({ type: types.string, nullable: true })
  customerId: string | null = null;

  @Property({ type: types.string, nullable: true })
  chargeId: string | null = null;

  @Property({ type: types.datetime })
  createdAt!: Date;

  @Property({ type: types.datetime })
  receivedAt!: Date;

  @Property({ type: types.datetime, nullable: true })
  appliedAt: Date | null = null;
}
