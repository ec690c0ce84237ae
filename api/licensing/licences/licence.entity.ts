import { Collection, type Opt, types } from "@mikro-orm/core";
import { Check, Entity, Index, ManyToOne, OneToMany, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Field, ID, Int, ObjectType } from "type-graphql";
import { licenceActivationTypes, licenceCategories, licenceTypes, productLevels } from "#schema/catalogue.ts";
import { Allow, VisibleTo } from "#api/platform/graphql/allow.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";

/** Staff roles, besides owners, that see licence codes. */
export const licenceCodeRoles = ["support"] as const;

/** The right to use the add-in at a product level until a date, with limits. Each licence has one licence code. */
@VisibleTo("signedIn", { readThrough: "Query.licence" })
@ObjectType({ description: "The right to use the add-in at a product level until a date, with limits." })
@Entity({ tableName: "licences" })
@Check({ name: "licences_no_sandbox_code", expression: "(licence_code)::text !~~ 'SANDB-00%'::text" })
@Index({
  name: "licences_ending",
  expression:
    "create index licences_ending on licences (expires_at, id) where revoked_at is null and suspended_at is null",
})
@Index({
  name: "licences_trials_begun",
  expression:
    "create index licences_trials_begun on licences (created_at, id) include (user_id) where product_level in (3, 8, 13)",
})
@Index({
  name: "licences_newest",
  expression: "create index licences_newest on licences (created_at desc, id desc)",
})
export class Licence {
  @Field(() => ID, { description: "Unique ID." })
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Index()
  @ManyToOne(() => User)
  user!: User;

  @Allow("signedIn", { roles: licenceCodeRoles, scope: "licences:read" })
  @Field(() => String, {
    description: "Six groups of five characters. The last character is a checksum. Of staff, only support sees it.",
  })
  @Unique()
  @Property({ type: types.string })
  licenceCode!: string;

  @Field(() => String, {
    description: "Code that identifies the licence to support staff. It can't be used in the add-in.",
  })
  @Unique()
  @Property({ type: types.string })
  supportCode!: string;

  @Field(enumType(productLevels), { description: productLevels.meaning })
  @Property({ type: types.smallint })
  productLevel!: number;

  @Field(enumType(licenceTypes), { description: licenceTypes.meaning })
  @Property({ type: types.smallint })
  licenceType: Opt<number> = 1;

  @Field(enumType(licenceCategories), { description: licenceCategories.meaning })
  @Property({ type: types.smallint })
  licenceCategory: Opt<number> = 1;

  @Field(enumType(licenceActivationTypes), { description: licenceActivationTypes.meaning })
  @Property({ type: types.smallint })
  licenceActivationType: Opt<number> = 0;

  @Field(() => Int, { description: "Number of users, or of seats of a concurrent licence." })
  @Property({ type: types.integer })
  numberOfUsers: Opt<number> = 1;

  @Field(() => Int, { description: "Number of devices that can be activated." })
  @Property({ type: types.integer })
  numberOfMachines: Opt<number> = 1;

  @Field(() => Int, {
    description:
      "Lease period of `FLOATING_WITH_LEASE_PERIOD` in hours. For other activation types, the longest time in hours for which a seat can be borrowed; 0 if seats can't be borrowed.",
  })
  @Property({ type: types.integer })
  limitFloatingLeasePeriodToHours: Opt<number> = 0;

  @Field(() => Int, { description: "Minutes between heartbeats. Used by `CONCURRENT` licences." })
  @Property({ type: types.integer })
  floatingHeartBeatIntervalMinutes: Opt<number> = 15;

  @Field(() => String, { nullable: true, description: "The project of a `PROJECT` licence, in words." })
  @Property({ type: types.string, nullable: true })
  projectTerm: string | null = null;

  @Field(() => String, { nullable: true, description: "The customer's purchase order number." })
  @Property({ type: types.string, nullable: true })
  purchaseOrderNumber: string | null = null;

  @Field(() => Boolean, { description: "Whether the licence may be used on virtual machines." })
  @Property({ type: types.boolean })
  allowOnVms: Opt<boolean> = false;

  @Field(() => Date, { description: "The date the licence expires, in UTC." })
  @Property({ type: types.datetime })
  expiresAt!: Date;

  @Field(() => Date, { description: "The date the licence was created, in UTC." })
  @Property({ type: types.datetime })
  createdAt!: Date;

  /**
   * When the licence was suspended, because the account was archived or a payment was disputed. A suspension can be
   * lifted.
   */
  @Property({ type: types.datetime, nullable: true })
  suspendedAt: Date | null = null;

  /**
   * When the licence was revoked, by 'Deactivate licence' in the admin area, a refund or an upgrade
   * (docs/domain.md#licence-status).
   */
  @Property({ type: types.datetime, nullable: true })
  revokedAt: Date | null = null;

  @Field(() => Int, {
    nullable: true,
    description: "Number of conversions a trial includes; null if there is no limit.",
  })
  @Property({ type: types.integer, nullable: true })
  usageLimit: number | null = null;

  @Field(() => Int, { description: "Number of conversions recorded with this licence." })
  @Property({ type: types.integer })
  usageCount: Opt<number> = 0;

  @OneToMany(
    () => Device,
    (device) => device.licence,
  )
  devices = new Collection<Device>(this);
}
