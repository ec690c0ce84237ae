import { types } from "@mikro-orm/core";
import { Entity, PrimaryKey } from "@mikro-orm/decorators/legacy";
import { Moment, SqlIndex, Text } from "#api/platform/database/columns.ts";

/**
 * Inbox of the provider's webhook events. Each event is stored once under its id, and applied by reading its customer
 * from the provider again.
 */
@Entity({ tableName: "payment_notices" })
@SqlIndex("create index payment_notices_waiting on payment_notices (received_at) where applied_at is null")
export class PaymentNotice {
  @PrimaryKey({ type: types.string })
  id!: string;

  @Text({ personal: "none" })
  type!: string;

  @Text({ nullable: true, personal: { kept: "Payment provider IDs, removed after 90 days." } })
  customerId: string | null = null;

  @Text({ nullable: true, personal: { kept: "Payment provider IDs, removed after 90 days." } })
  chargeId: string | null = null;

  @Moment()
  createdAt!: Date;

  @Moment()
  receivedAt!: Date;

  @Moment({ nullable: true })
  appliedAt: Date | null = null;
}
