import type { Opt } from "@mikro-orm/core";
import { Entity, OneToOne } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { RowId, Text } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import { User } from "#api/people/users/user.entity.ts";

/** Who gets a customer's invoices besides the customer (docs/domain.md#billing-contact). Missing texts are empty. */
@VisibleTo("signedIn")
@ObjectType({ description: "Who gets a customer's invoices and reminders besides the customer." })
@Entity({ tableName: "billing_contacts" })
export class BillingContact {
  @RowId()
  id: Opt<string> = randomUUID();

  @OneToOne(() => User, { owner: true, deleteRule: "cascade" })
  user!: User;

  @Text("Name of the billing contact, or empty.", { default: "" })
  name: Opt<string> = "";

  @Text("Email address of the billing contact, or empty.", { default: "" })
  email: Opt<string> = "";

  @Text("Email address of a second recipient, or empty.", { default: "" })
  secondEmail: Opt<string> = "";

  @Text("Purchase order number of new invoices, or empty.", { default: "" })
  purchaseOrder: Opt<string> = "";
}
