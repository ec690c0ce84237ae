import type { Opt } from "@mikro-orm/core";
import { Entity, Index } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { contactTypes, type ContactValues } from "#schema/contact.ts";
import { Choice, Integer, Moment, Reference, RowId, SqlIndex, Text } from "#api/platform/database/columns.ts";
import { VisibleTo } from "#api/platform/graphql/declare.ts";
import { User } from "#api/people/users/user.entity.ts";

@VisibleTo("admin", { readThrough: "User.contacts" })
@ObjectType({ description: "Someone at a customer's company whom staff can contact." })
@Entity({ tableName: "contacts" })
@SqlIndex("create index contacts_by_email on contacts (lower(email) text_pattern_ops)")
@SqlIndex("create index contacts_by_name on contacts (lower(first_name || ' ' || last_name) text_pattern_ops)")
@SqlIndex("create index contacts_by_last_name on contacts (lower(last_name) text_pattern_ops)")
@SqlIndex("create index contacts_newest on contacts (added_at desc, id desc)")
export class Contact implements ContactValues {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => User, { deleteRule: "cascade" })
  user!: User;

  @Text("First name.")
  firstName!: string;

  @Text("Last name.")
  lastName!: string;

  @Text("Email address.")
  email!: string;

  @Text("Phone number as entered.")
  phone!: string;

  @Choice(contactTypes)
  contactType!: ContactValues["contactType"];

  /** Incremented by every change, to detect concurrent edits (decision 0031). */
  @Integer("Number of the current revision. Send it with an update to detect concurrent edits.", { default: 1 })
  revision: Opt<number> = 1;

  /** Date staff added the contact. Approximate for contacts added before this column existed (migration 0025). */
  @Moment({ defaultRaw: "now()" })
  addedAt!: Opt<Date>;
}
