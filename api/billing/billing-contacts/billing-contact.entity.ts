import { type Opt, types } from "@mikro-orm/core";
import { Entity, OneToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Who gets a customer's invoices besides the customer (docs/domain.md#billing-contact). Missing texts are empty. */
@VisibleTo("signedIn")
@ObjectType({ description: "Who gets a customer's invoices and reminders besides the customer." })
@Entity({ tableName: "billing_contacts" })
export class BillingContact {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @OneToOne(() => User, { owner: true, deleteRule: "cascade" })
  user!: User;

  @Field(() => String, { description: "Name of the billing contact, or empty." })
  @Property({ type: types.string, default: "" })
  name: Opt<string> = "";

  @Field(() => String, { description: "Email address of the billing contact, or empty." })
  @Property({ type: types.string, default: "" })
  email: Opt<string> = "";

  @Field(() => String, { description: "Email address of a second recipient, or empty." })
  @Property({ type: types.string, default: "" })
  secondEmail: Opt<string> = "";

  @Field(() => String, { description: "Purchase order number of new invoices, or empty." })
  @Property({ type: types.string, default: "" })
  purchaseOrder: Opt<string> = "";
}
