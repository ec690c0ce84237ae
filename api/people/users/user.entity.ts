import { type EventArgs, type Opt, types } from "@mikro-orm/core";
import { BeforeUpdate, Entity, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ObjectType } from "type-graphql";
import { MemberType, memberTypes, userFields } from "#schema/user.ts";
import { type StaffRole, staffRoles } from "#schema/staff-roles.ts";
import {
  Choice,
  Classified,
  Flag,
  Integer,
  LongText,
  Moment,
  RowId,
  Text,
  Uuid,
} from "#api/platform/database/columns.ts";
import { TIME_ZONE_DESCRIPTION } from "./person.input.ts";
import { UserIndexes } from "./user-indexes.ts";
import { enumListType, VisibleTo } from "#api/platform/graphql/declare.ts";
import { createLink } from "#api/platform/graphql/links.ts";
import { createRowLoader } from "#api/platform/graphql/loaders.ts";
import { type Context, getCallerId } from "#api/platform/context.ts";
import { AppError, conflict, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { type EntityManager, getRow, lockRow, query } from "#api/platform/database/database.ts";

@VisibleTo("signedIn", { readThrough: "Query.user" })
@ObjectType({ description: "A user who can sign in: a customer (type 1 or 2) or an admin (type 3)." })
@Entity({ tableName: "users" })
@UserIndexes
export class User {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  /** Opaque handle of the public confirmation pages. It reveals nothing about the account. */
  @Unique()
  @Uuid({ personal: { kept: "Random ID." } })
  confirmationHandle: Opt<string> = randomUUID();

  @Text("First name.", { personal: "deleted" })
  firstName!: string;

  @Text("Last name.", { personal: "deleted" })
  lastName!: string;

  /** Email address as typed, for display and emails. */
  @Text("Email address, with which the user signs in.", { personal: "deleted" })
  email!: string;

  /**
   * Email address in lower case, unique per account. Null for a registration under an address that already had an
   * account. Such a registration looks like any other to visitors and becomes usable once the user changes it to an
   * unused address (docs/domain.md#no-account-disclosure).
   */
  @Unique()
  @Text({ nullable: true, personal: "deleted" })
  signInEmail: string | null = null;

  /**
   * New address that the user requested, pending until they open the link sent to it. Null if there is none. It can't
   * be used to sign in, it reserves nothing, and several accounts can have the same pending address.
   */
  @Text("The new email address that the user has not confirmed yet. Null if there is none.", {
    nullable: true,
    personal: "deleted",
  })
  pendingEmail: string | null = null;

  /** Opaque handle of the confirmation page for the latest email change. Each new address gets a new handle. */
  @Unique()
  @Uuid({ nullable: true, personal: "deleted" })
  emailChangeHandle: string | null = null;

  @Text({ lazy: true, personal: "deleted" })
  passwordHash!: string;

  @Text("The phone number as entered.", { personal: "deleted" })
  mobile!: string;

  @Text("Name of the company. Empty if there is none.", { personal: "deleted" })
  companyName: Opt<string> = "";

  @Text("The Australian business number as `99 999 999 999`, or an empty string.", { personal: "deleted" })
  abn: Opt<string> = "";

  @Text("Position in the company.", { personal: "deleted" })
  position: Opt<string> = "";

  @Choice(memberTypes)
  memberType: Opt<MemberType> = MemberType.Regular;

  @Classified("none")
  @Field(enumListType(staffRoles), { description: "The roles of an admin. An admin without a role is an owner." })
  @Property({ type: types.array, defaultRaw: "'{}'" })
  staffRoles: Opt<StaffRole[]> = [];

  @Flag("Whether the user is offered builds of the stages `ALPHA` and `BETA`.", { personal: "deleted" })
  isTester: Opt<boolean> = false;

  @Flag("Whether the user registered as a service provider.", { personal: "deleted" })
  isServiceProvider: Opt<boolean> = false;

  @LongText("The whole address on one line.", { personal: "deleted" })
  fullAddress: Opt<string> = "";

  @Text("Unit, flat or suite number.", { personal: "deleted" })
  unitNumber: Opt<string> = "";

  @Text("Street number.", { personal: "deleted" })
  streetNumber: Opt<string> = "";

  @Text("Street name.", { personal: "deleted" })
  streetName: Opt<string> = "";

  @Text("City or suburb.", { personal: "deleted" })
  city: Opt<string> = "";

  @Text("A state code such as QLD in Australia and the United States, otherwise free text.", { personal: "deleted" })
  state: Opt<string> = "";

  @Text("Post code.", { personal: "deleted" })
  postCode: Opt<string> = "";

  @Text("The country's English name.", { personal: { kept: "Needed for the GST of past sales." } })
  country: Opt<string> = "Australia";

  @Text(TIME_ZONE_DESCRIPTION, { nullable: true, personal: "deleted" })
  timeZone: string | null = null;

  /** The country that was stored before countries were a closed list, if the name for it today would add GST. */
  @Text({ nullable: true, personal: { kept: "Needed for the GST of past sales." } })
  unlistedCountry: string | null = null;

  /** The user's referrer, as entered by staff. */
  @Text("Who referred the user, in words.", { personal: "deleted" })
  referrer: Opt<string> = "";

  @Flag("Whether the vendor sent its W-8 form (United States tax).", { fieldName: "issued_w8_form" })
  issuedW8Form: Opt<boolean> = false;

  @Flag("Whether the customer's security questionnaire was answered.")
  completedSecurityInformation: Opt<boolean> = false;

  @Flag("Whether the customer's questions about software quality were answered.", {
    fieldName: "completed_software_qa",
  })
  completedSoftwareQA: Opt<boolean> = false;

  @Flag("Whether the user receives the newsletter.", { fieldName: "is_subscribed_to_newsletter", personal: "deleted" })
  isSubscribedToNewsLetter: Opt<boolean> = false;

  /**
   * Number of changes to the fields that staff edit. An update with an outdated number is rejected instead of
   * overwriting newer changes.
   */
  @Integer("The number of changes so far. Send it with an update to avoid overwriting another admin's changes.")
  revision: Opt<number> = 1;

  /** True if the user registered for a trial, which shortens the time to confirm the address. */
  @Flag()
  trialIntent: Opt<boolean> = false;

  /** When the user signed in for the first time. Later sign-ins from a new device are reported by email. */
  @Moment({ nullable: true })
  firstSignedInAt: Date | null = null;

  /** Number of times the user was signed out everywhere. Cookies of known devices from before are invalid. */
  @Integer({ default: 0 })
  knownDeviceEpoch: Opt<number> = 0;

  /** When two-step sign-in was turned on. Null if it is off. */
  @Moment({ nullable: true, personal: "deleted" })
  twoStepSince: Date | null = null;

  /** When the address was confirmed. Null until then. */
  @Moment({ nullable: true })
  emailConfirmedAt: Date | null = null;

  /** When an admin archived the account. The user can't sign in and the licences are suspended. */
  @Moment({ nullable: true, personal: "deleted" })
  archivedAt: Date | null = null;

  @Moment("When the account was deleted, in UTC. It can't be restored, and nothing can be added to it.", {
    nullable: true,
    personal: "deleted",
  })
  deletedAt: Date | null = null;

  @Flag("Whether the customer has already had a trial.", { personal: { kept: "Prevents a second trial." } })
  hasCompletedTrial: Opt<boolean> = false;

  @Integer("The number of devices the customer can deactivate per year. 0 means none.")
  annualDeactivationLimit: Opt<number> = 3;

  /** When an admin last reset the deactivation count. Earlier deactivations don't count. */
  @Moment({ nullable: true })
  deactivationsResetAt: Date | null = null;

  @Moment("When the user registered, in UTC.")
  registeredAt!: Date;

  /** Search terms for the list of users, generated and read only by PostgreSQL (migration 0015). */
  @Classified("deleted")
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

/**
 * SQL: the user `user` has nothing of a customer: no licence, document, draft, credit or used promo code. Otherwise an
 * unconfirmed registration isn't deleted.
 */
export const ownsNothingSql = (user: string): string =>
  ["licences", "tax_invoices", "manual_invoices", "credit_entries", "promo_redemptions"]
    .map((table) => `not exists (select from ${table} o where o.user_id = ${user}.id)`)
    .join(" and ");

/** Loads a user by id, or null if there is none. */
export const loadUserById = createRowLoader(User);

/** Declares a field that leads to a user (decision 0131). */
export const linkUser = createLink(() => User, loadUserById);

/**
 * Returns a user by id.
 * @throws AppError NOT_FOUND for an unknown or malformed id
 */
export function getUser(context: Pick<Context, "em">, id: string): Promise<User> {
  return getRow(context.em, User, id);
}

/**
 * Locks and returns the caller's own row, in the transaction of `em`. Call it before changing it or adding to it, because the
 * account may have been closed since the request was authenticated.
 * @throws AppError UNAUTHENTICATED without a caller, and if the account was archived or deleted.
 */
export async function lockCaller(context: Pick<Context, "actor">, em: EntityManager): Promise<User> {
  const user = await lockRow(em, User, getCallerId(context), { refresh: true });
  if (user.archivedAt) throw new AppError("UNAUTHENTICATED");
  return user;
}

/**
 * Keeps an account from being deleted until the transaction of `em` ends. Call it before adding data to an account,
 * because data added after a deletion would never be erased. Several transactions can hold this lock at the same time.
 * @returns the ID as it is stored. Requests may write it in capitals, with which a reference to the user can't be loaded.
 * @throws AppError NOT_FOUND; CONFLICT if the owner deleted the account.
 */
export async function lockUserAgainstDeletion(em: EntityManager, id: string): Promise<string> {
  if (!isUuid(id)) throw notFound();
  const [user] = await query<{ id: string; deleted_at: unknown }>(
    em,
    "select id, deleted_at from users where id = $1 for key share",
    [id],
  );
  if (!user) throw notFound();
  if (user.deleted_at !== null) throw conflict("This account was deleted. Nothing can be added to it.");
  return user.id;
}
