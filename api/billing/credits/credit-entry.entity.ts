import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { type CreditKind, creditKinds } from "#schema/manual-invoices.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";
import { ManualInvoice } from "#api/billing/invoices/manual-invoice.entity.ts";
import { User } from "#api/people/users/user.entity.ts";

/**
 * A change of a customer's credit, in AUD cents. The credit is the sum of the entries. Entries are written with the
 * user's row locked, and never changed or deleted.
 */
@VisibleTo("signedIn")
@ObjectType({ description: "A change of a customer's credit. Amounts are AUD cents." })
@Entity({ tableName: "credit_entries" })
@Index({ properties: ["user", "createdAt"] })
export class CreditEntry {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** Key of the request that added it; a repeated request returns this entry. Null for entries by the system. */
  @Unique()
  @Property({ type: types.string, nullable: true })
  key: string | null = null;

  @ManyToOne(() => User)
  user!: User;

  @Field(enumType(creditKinds), { description: creditKinds.meaning })
  @Property({ type: types.string })
  kind!: CreditKind;

  @Field(() => Int, { description: "Positive if the credit grew." })
  @Property({ type: types.integer })
  amountCents!: number;

  /** The part of the amount that staff gave. The rest is money that the customer paid. */
  @Field(() => Int, {
    description:
      "The part that staff gave. It reduces the price of an invoice; the rest is money that the customer paid.",
  })
  @Property({ type: types.integer, default: 0 })
  goodwillCents: Opt<number> = 0;

  @Field(() => String, { description: "The reason, which the customer sees." })
  @Property({ type: types.text })
  reason!: string;

  @Index()
  @ManyToOne(() => ManualInvoice, { nullable: true })
  invoice: ManualInvoice | null = null;

  @Field(() => Date, { description: "When it was recorded, in UTC." })
  @Property({ type: types.datetime })
  createdAt!: Date;

  /** Admin who added it; null for entries by the system. */
  @Property({ type: types.uuid, nullable: true })
  createdById: string | null = null;
}
