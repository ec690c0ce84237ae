import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { type PaymentMethod, paymentMethods } from "#schema/manual-invoices.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { User } from "#api/people/users/user.entity.ts";

/** A payment received for an invoice by hand. Never changed or deleted. Amounts are AUD cents. */
@VisibleTo("admin")
@ObjectType({ description: "A payment received for an invoice by hand. Amounts are AUD cents." })
@Entity({ tableName: "received_payments" })
export class ReceivedPayment {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** Key of the request that recorded it; a repeated request returns this payment. */
  @Unique()
  @Property({ type: types.string })
  key!: string;

  @Index()
  @ManyToOne(() => User)
  user!: User;

  @Index()
  @ManyToOne(() => ManualInvoice)
  invoice!: ManualInvoice;

  @Field(enumType(paymentMethods), { description: paymentMethods.meaning })
  @Property({ type: types.string })
  method!: PaymentMethod;

  @Field(() => Int, { description: "Amount received." })
  @Property({ type: types.integer })
  amountCents!: number;

  @Field(() => Int, { description: "The part that paid the invoice." })
  @Property({ type: types.integer })
  appliedCents!: number;

  @Field(() => Int, { description: "The part above the balance, which became the customer's credit." })
  @Property({ type: types.integer })
  creditCents!: number;

  @Field(() => Date, { description: "When the money arrived, in UTC. For a day without a time, its start." })
  @Index()
  @Property({ type: types.datetime })
  receivedAt!: Date;

  @Field(() => String, { nullable: true, description: "Reference of the payment, such as on the bank statement." })
  @Property({ type: types.string, nullable: true })
  reference: string | null = null;

  /** The payment provider's id of a card payment. */
  @Unique()
  @Property({ type: types.string, nullable: true })
  providerPaymentId: string | null = null;

  @Field(() => Date, { description: "When it was recorded, in UTC." })
  @Property({ type: types.datetime })
  recordedAt!: Date;

  /** Admin who recorded it; null for card payments. */
  @Property({ type: types.uuid, nullable: true })
  recordedById: string | null = null;
}
