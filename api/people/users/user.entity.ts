import { type EventArgs, type Opt, types } from "@mikro-orm/core";
import { BeforeUpdate, Entity, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { legend, MemberType, memberTypes } from "#schema/catalogue.ts";
import { userFields } from "#schema/fields/user.ts";
import { UserIndexes } from "./user-indexes.ts";

/** One person's sign-in: a customer (type 1 or 2) or one of the vendor's staff (type 3). */
@ObjectType({ description: "One person's sign-in: a customer (type 1 or 2) or an admin (type 3)." })
@Entity({ tableName: "users" })
@UserIndexes
export class User {
  @Field(() => ID)
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** Opaque handle of the public confirmation pages; says nothing about the account. */
  @Unique()
  @Property({ type: types.uuid })
  confirmationHandle: Opt<string> = randomUUID();

  @Field(() => String)
  @Property({ type: types.string })
  firstName!: string;

  @Field(() => String)
  @Property({ type: types.string })
  lastName!: string;

  /** As typed, for display and mail. */
  @Field(() => String)
  @Property({ type: types.string })
  email!: string;

  /**
   * Lower case: the name to sign in with, one account each. Null for a registration under an address
   * that already had an account: it looks like any other from outside, and comes alive when the person
   * gives an address of their own (docs/domain.md#no-account-disclosure).
   */
  @Unique()
  @Property({ type: types.string, nullable: true })
  signInEmail: string | null = null;

  /**
   * The address the person wants instead, until its link is used; null when there is none. Nobody signs in with it,
   * it reserves nothing, and several accounts may wait for the same one.
   */
  @Field(() => String, {
    nullable: true,
    description: "The address that replaces `email` once its link is used; null when none is wanted.",
  })
  @Property({ type: types.string, nullable: true })
  pendingEmail: string | null = null;

  /** Opaque handle of the confirmation page of the latest change of address; a new one for every address. */
  @Unique()
  @Property({ type: types.uuid, nullable: true })
  emailChangeHandle: string | null = null;

  @Property({ type: types.string, lazy: true })
  passwordHash!: string;

  @Field(() => String, { description: "Phone as the person typed it." })
  @Property({ type: types.string })
  mobile!: string;

  @Field(() => String)
  @Property({ type: types.string })
  companyName: Opt<string> = "";

  @Field(() => String, { description: "Australian business number as `99 999 999 999`; empty without one." })
  @Property({ type: types.string })
  abn: Opt<string> = "";

  @Field(() => String)
  @Property({ type: types.string })
  position: Opt<string> = "";

  @Field(() => Int, { description: legend(memberTypes) })
  @Property({ type: types.smallint })
  memberType: Opt<MemberType> = MemberType.Regular;

  @Field(() => Boolean)
  @Property({ type: types.boolean })
  isTester: Opt<boolean> = false;

  @Field(() => Boolean)
  @Property({ type: types.boolean })
  isServiceProvider: Opt<boolean> = false;

  @Field(() => String)
  @Property({ type: types.text })
  fullAddress: Opt<string> = "";

  @Field(() => String)
  @Property({ type: types.string })
  unitNumber: Opt<string> = "";

  @Field(() => String)
  @Property({ type: types.string })
  streetNumber: Opt<string> = "";

  @Field(() => String)
  @Property({ type: types.string })
  streetName: Opt<string> = "";

  @Field(() => String)
  @Property({ type: types.string })
  city: Opt<string> = "";

  @Field(() => String)
  @Property({ type: types.string })
  state: Opt<string> = "";

  @Field(() => String)
  @Property({ type: types.string })
  postCode: Opt<string> = "";

  @Field(() => String)
  @Property({ type: types.string })
  country: Opt<string> = "Australia";

  /** Who or what led the person here, in staff's words. */
  @Field(() => String)
  @Property({ type: types.string })
  referrer: Opt<string> = "";

  /** The vendor has sent this customer its W-8 form (United States tax). */
  @Field(() => Boolean, { description: "The vendor sent its W-8 form (United States tax)." })
  @Property({ type: types.boolean, fieldName: "issued_w8_form" })
  issuedW8Form: Opt<boolean> = false;

  /** The customer's security questionnaire is answered. */
  @Field(() => Boolean, { description: "The customer's security questionnaire is answered." })
  @Property({ type: types.boolean })
  completedSecurityInformation: Opt<boolean> = false;

  /** The customer's questions about software quality are answered. */
  @Field(() => Boolean, { description: "The customer's questions about software quality are answered." })
  @Property({ type: types.boolean, fieldName: "completed_software_qa" })
  completedSoftwareQA: Opt<boolean> = false;

  @Field(() => Boolean)
  @Property({ type: types.boolean, fieldName: "is_subscribed_to_newsletter" })
  isSubscribedToNewsLetter: Opt<boolean> = false;

  /** Counts the changes of what staff edit: a form that began at another number is told, and overwrites nothing. */
  @Field(() => Int, {
    description: "Counts the changes; sent back with an update, so that nobody's work is overwritten.",
  })
  @Property({ type: types.integer })
  revision: Opt<number> = 1;

  /** Registered on the way to the trial, which shortens the time to confirm the address. */
  @Property({ type: types.boolean })
  trialIntent: Opt<boolean> = false;

  /** The very first sign-in, which is no news to anybody; later ones from a new device are mailed. */
  @Property({ type: types.datetime, nullable: true })
  firstSignedInAt: Date | null = null;

  /** When two-step sign-in was turned on; null while it is off. */
  @Property({ type: types.datetime, nullable: true })
  twoStepSince: Date | null = null;

  /** Null until the address is confirmed by mail. */
  @Property({ type: types.datetime, nullable: true })
  emailConfirmedAt: Date | null = null;

  /** Set when an admin archives the account: no sign-in, licences suspended. */
  @Property({ type: types.datetime, nullable: true })
  archivedAt: Date | null = null;

  /** Set when the person had the account deleted: archived as well, and nothing personal is left in the row. */
  @Property({ type: types.datetime, nullable: true })
  deletedAt: Date | null = null;

  @Field(() => Boolean, { description: "Whether this person has had their one trial." })
  @Property({ type: types.boolean })
  hasCompletedTrial: Opt<boolean> = false;

  @Field(() => Int, { description: "Devices the customer may free within a year; 0 means none." })
  @Property({ type: types.integer })
  annualDeactivationLimit: Opt<number> = 3;

  /** Deactivations before this moment no longer count (an admin reset the counter). */
  @Property({ type: types.datetime, nullable: true })
  deactivationsResetAt: Date | null = null;

  @Field(() => Date, { description: "When the person registered, UTC." })
  @Property({ type: types.datetime })
  registeredAt!: Date;

  /** The words that the list of users is searched by, reckoned and read by PostgreSQL alone (migration 0015). */
  @Property({
    columnType: "tsvector",
    type: types.unknown,
    generated: `user_search(first_name, last_name, company_name, "position", email, mobile, abn) stored`,
    lazy: true,
    hidden: true,
    nullable: true,
  })
  readonly search?: unknown;

  /**
   * A new password withdraws a wanted change of address: who takes an account back by changing or resetting its
   * password must not lose it to a link that a thief had sent before.
   */
  @BeforeUpdate()
  withdrawEmailChange({ changeSet }: EventArgs<User>): void {
    if (changeSet?.payload.passwordHash !== undefined) this.pendingEmail = null;
  }

  /** Whoever changes what staff edit, the person, a trial or staff, a form that began before is out of date. */
  @BeforeUpdate()
  countRevision({ changeSet }: EventArgs<User>): void {
    const changed = changeSet?.payload;
    if (
      changed &&
      changed.revision === undefined &&
      Object.keys(userFields).some((name) => changed[name as keyof typeof userFields] !== undefined)
    )
      this.revision += 1;
  }

  @Field(() => Boolean)
  get emailConfirmed(): Opt<boolean> {
    return this.emailConfirmedAt !== null;
  }

  @Field(() => Boolean, { description: "False once the account is archived." })
  get isActive(): Opt<boolean> {
    return this.archivedAt === null;
  }
}
