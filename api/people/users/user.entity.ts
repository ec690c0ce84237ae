import { type EventArgs, type Opt, types } from "@mikro-orm/core";
import { BeforeUpdate, Entity, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { MemberType, memberTypes } from "#schema/catalogue.ts";
import { userFields } from "#schema/fields/user.ts";
import { type StaffRole, staffRoles } from "#schema/staff-roles.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";
import { UserIndexes } from "./user-indexes.ts";
import { enumListType, enumType } from "#api/platform/graphql/enum-type.ts";

/** A user who can sign in: a customer (type 1 or 2) or an admin (type 3). */
@VisibleTo("signedIn", { readThrough: "Query.user" })
@ObjectType({ description: "A user who can sign in: a customer (type 1 or 2) or an admin (type 3)." })
@Entity({ tableName: "users" })
@UserIndexes
export class User {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  /** Opaque handle of the public confirmation pages. It reveals nothing about the account. */
  @Unique()
  @Property({ type: types.uuid })
  confirmationHandle: Opt<string> = randomUUID();

  @Field(() => String, { description: "First name." })
  @Property({ type: types.string })
  firstName!: string;

  @Field(() => String, { description: "Last name." })
  @Property({ type: types.string })
  lastName!: string;

  /** Email address as typed, for display and emails. */
  @Field(() => String, { description: "Email address, with which the user signs in." })
  @Property({ type: types.string })
  email!: string;

  /**
   * Email address in lower case, unique per account. Null for a registration under an address that already had an
   * account. Such a registration looks like any other to visitors and becomes usable once the user changes it to an
   * unused address (docs/domain.md#no-account-disclosure).
   */
  @Unique()
  @Property({ type: types.string, nullable: true })
  signInEmail: string | null = null;

  /**
   * New address that the user requested, pending until they open the link sent to it. Null if there is none. It can't
   * be used to sign in, it reserves nothing, and several accounts can have the same pending address.
   */
  @Field(() => String, {
    nullable: true,
    description: "The new email address that the user has not confirmed yet. Null if there is none.",
  })
  @Property({ type: types.string, nullable: true })
  pendingEmail: string | null = null;

  /** Opaque handle of the confirmation page for the latest email change. Each new address gets a new handle. */
  @Unique()
  @Property({ type: types.uuid, nullable: true })
  emailChangeHandle: string | null = null;

  @Property({ type: types.string, lazy: true })
  passwordHash!: string;

  @Field(() => String, { description: "The phone number as entered." })
  @Property({ type: types.string })
  mobile!: string;

  @Field(() => String, { description: "Name of the company. Empty if there is none." })
  @Property({ type: types.string })
  companyName: Opt<string> = "";

  @Field(() => String, { description: "The Australian business number as `99 999 999 999`, or an empty string." })
  @Property({ type: types.string })
  abn: Opt<string> = "";

  @Field(() => String, { description: "Position in the company." })
  @Property({ type: types.string })
  position: Opt<string> = "";

  @Field(enumType(memberTypes), { description: memberTypes.meaning })
  @Property({ type: types.smallint })
  memberType: Opt<MemberType> = MemberType.Regular;

  @Field(enumListType(staffRoles), { description: "The roles of an admin. An admin without a role is an owner." })
  @Property({ type: types.array, defaultRaw: "'{}'" })
  staffRoles: Opt<StaffRole[]> = [];

  @Field(() => Boolean, { description: "Whether the user is offered builds of the stages `ALPHA` and `BETA`." })
  @Property({ type: types.boolean })
  isTester: Opt<boolean> = false;

  @Field(() => Boolean, { description: "Whether the user registered as a service provider." })
  @Property({ type: types.boolean })
  isServiceProvider: Opt<boolean> = false;

  @Field(() => String, { description: "The whole address on one line." })
  @Property({ type: types.text })
  fullAddress: Opt<string> = "";

  @Field(() => String, { description: "Unit, flat or suite number." })
  @Property({ type: types.string })
  unitNumber: Opt<string> = "";

  @Field(() => String, { description: "Street number." })
  @Property({ type: types.string })
  streetNumber: Opt<string> = "";

  @Field(() => String, { description: "Street name." })
  @Property({ type: types.string })
  streetName: Opt<string> = "";

  @Field(() => String, { description: "City or suburb." })
  @Property({ type: types.string })
  city: Opt<string> = "";

  @Field(() => String, {
    description: "A state code such as QLD in Australia and the United States, otherwise free text.",
  })
  @Property({ type: types.string })
  state: Opt<string> = "";

  @Field(() => String, { description: "Post code." })
  @Property({ type: types.string })
  postCode: Opt<string> = "";

  @Field(() => String, { description: "The country's English name." })
  @Property({ type: types.string })
  country: Opt<string> = "Australia";

  /** The country that was stored before countries were a closed list, if the name for it today would add GST. */
  @Property({ type: types.string, nullable: true })
  unlistedCountry: string | null = null;

  /** The user's referrer, as entered by staff. */
  @Field(() => String, { description: "Who referred the user, in words." })
  @Property({ type: types.string })
  referrer: Opt<string> = "";

  @Field(() => Boolean, { description: "Whether the vendor sent its W-8 form (United States tax)." })
  @Property({ type: types.boolean, fieldName: "issued_w8_form" })
  issuedW8Form: Opt<boolean> = false;

  @Field(() => Boolean, { description: "Whether the customer's security questionnaire was answered." })
  @Property({ type: types.boolean })
  completedSecurityInformation: Opt<boolean> = false;

  @Field(() => Boolean, { description: "Whether the customer's questions about software quality were answered." })
  @Property({ type: types.boolean, fieldName: "completed_software_qa" })
  completedSoftwareQA: Opt<boolean> = false;

  @Field(() => Boolean, { description: "Whether the user receives the newsletter." })
  @Property({ type: types.boolean, fieldName: "is_subscribed_to_newsletter" })
  isSubscribedToNewsLetter: Opt<boolean> = false;

  /**
   * Number of changes to the fields that staff edit. An update with an outdated number is rejected instead of
   * overwriting newer changes.
   */
  @Field(() => Int, {
    description: "The number of changes so far. Send it with an update to avoid overwriting another admin's changes.",
  })
  @Property({ type: types.integer })
  revision: Opt<number> = 1;

  /** True if the user registered for a trial, which shortens the time to confirm the address. */
  @Property({ type: types.boolean })
  trialIntent: Opt<boolean> = false;

  /** When the user signed in for the first time. Later sign-ins from a new device are reported by email. */
  @Property({ type: types.datetime, nullable: true })
  firstSignedInAt: Date | null = null;

  /** Number of times the user was signed out everywhere. Cookies of known devices from before are invalid. */
  @Property({ type: types.integer, default: 0 })
  knownDeviceEpoch: Opt<number> = 0;

  /** When two-step sign-in was turned on. Null if it is off. */
  @Property({ type: types.datetime, nullable: true })
  twoStepSince: Date | null = null;

  /** When the address was confirmed. Null until then. */
  @Property({ type: types.datetime, nullable: true })
  emailConfirmedAt: Date | null = null;

  /** When an admin archived the account. The user can't sign in and the licences are suspended. */
  @Property({ type: types.datetime, nullable: true })
  archivedAt: Date | null = null;

  /** When the owner deleted the account. It is archived as well, and the row contains no personal data any more. */
  @Property({ type: types.datetime, nullable: true })
  deletedAt: Date | null = null;

  @Field(() => Boolean, { description: "Whether the customer has already had a trial." })
  @Property({ type: types.boolean })
  hasCompletedTrial: Opt<boolean> = false;

  @Field(() => Int, { description: "The number of devices the customer can deactivate per year. 0 means none." })
  @Property({ type: types.integer })
  annualDeactivationLimit: Opt<number> = 3;

  /** When an admin last reset the deactivation count. Earlier deactivations don't count. */
  @Property({ type: types.datetime, nullable: true })
  deactivationsResetAt: Date | null = null;

  @Field(() => Date, { description: "When the user registered, in UTC." })
  @Property({ type: types.datetime })
  registeredAt!: Date;

  /** Search terms for the list of users, generated and read only by PostgreSQL (migration 0015). */
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
   * Cancels a pending email change when the password changes. Otherwise an owner who recovers an account with a new
   * password could still lose it to a confirmation link that an attacker requested earlier.
   */
  @BeforeUpdate()
  withdrawEmailChange({ changeSet }: EventArgs<User>): void {
    if (changeSet?.payload.passwordHash !== undefined) this.pendingEmail = null;
  }

  /**
   * Increments the revision when a field that staff can edit changes, regardless of who changes it, so that forms
   * opened earlier become out of date.
   */
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

  @Field(() => Boolean, { description: "Whether the email address is confirmed." })
  get emailConfirmed(): Opt<boolean> {
    return this.emailConfirmedAt !== null;
  }

  @Field(() => Boolean, { description: "Whether the account is active, that is, not archived." })
  get isActive(): Opt<boolean> {
    return this.archivedAt === null;
  }
}
