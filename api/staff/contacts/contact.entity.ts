import { type Opt, types } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { contactTypes } from "#schema/catalogue.ts";
import type { ContactValues } from "#schema/rules/contact.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";

@VisibleTo("admin", { readThrough: "User.contacts" })
@ObjectType({ description: "Someone at a customer's company whom staff can contact." })
@Entity({ tableName: "contacts" })
@Index({
  name: "contacts_by_email",
  expression: "create index contacts_by_email on contacts (lower(email) text_pattern_ops)",
})
@Index({
  name: "contacts_by_name",
  expression: "create index contacts_by_name on contacts (lower(first_name || ' ' || last_name) text_pattern_ops)",
})
@Index({
  name: "contacts_by_last_name",
  expression: "create index contacts_by_last_name on contacts (lower(last_name) text_pattern_ops)",
})
@Index({
  name: "contacts_newest",
  expression: "create index contacts_newest on contacts (added_at desc, id desc)",
})
export class Contact implements ContactValues {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  @Field(() => String, { description: "First name." })
  @Property({ type: types.string })
  firstName!: string;

  @Field(() => String, { description: "Last name." })
  @Property({ type: types.string })
  lastName!: string;

  @Field(() => String, { description: "Email address." })
  @Property({ type: types.string })
  email!: string;

  @Field(() => String, { description: "Phone number as entered." })
  @Property({ type: types.string })
  phone!: string;

  @Field(enumType(contactTypes), { description: contactTypes.meaning })
  @Property({ type: types.smallint })
  contactType!: number;

  /** Incremented by every change, to detect concurrent edits (decision 0031). */
  @Field(() => Int, {
    description: "Number of the current revision. Send it with an update to detect concurrent edits.",
  })
  @Property({ type: types.integer, default: 1 })
  revision: Opt<number> = 1;

  /** Date staff added the contact. Approximate for contacts added before this column existed (migration 0025). */
  @Property({ type: types.datetime, defaultRaw: "now()" })
  addedAt!: Opt<Date>;
}
