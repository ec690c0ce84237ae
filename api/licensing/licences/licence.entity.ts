import { Collection, type Opt } from "@mikro-orm/core";
import { Check, Entity, Index, OneToMany, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { ObjectType } from "type-graphql";
import { licenceActivationTypes, licenceCategories, licenceTypes } from "#schema/licence.ts";
import { productLevels } from "#schema/product-level.ts";
import {
  kept,
  Choice,
  Flag,
  Integer,
  Moment,
  Reference,
  RowId,
  SqlIndex,
  Text,
} from "#api/platform/database/columns.ts";
import { Allow, VisibleTo } from "#api/platform/graphql/declare.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { createSlot } from "#api/platform/slots.ts";

/** Staff roles, besides owners, that see licence codes. */
export const licenceCodeRoles = ["support"] as const;

/** The right to use the add-in at a product level until a date, with limits. Each licence has one licence code. */
@VisibleTo("signedIn", { readThrough: "Query.licence" })
@ObjectType({ description: "The right to use the add-in at a product level until a date, with limits." })
@Entity({ tableName: "licences" })
@Check({ name: "licences_no_sandbox_code", expression: "(licence_code)::text !~~ 'SANDB-00%'::text" })
@SqlIndex("create index licences_ending on licences (expires_at, id) where revoked_at is null and suspended_at is null")
@SqlIndex(
  "create index licences_trials_begun on licences (created_at, id) include (user_id) where product_level in (3, 8, 13)",
)
@SqlIndex("create index licences_newest on licences (created_at desc, id desc)")
export class Licence {
  @RowId("Unique ID.")
  id: Opt<string> = randomUUID();

  @Index()
  @Reference(() => User, { personal: kept.books })
  user!: User;

  @Allow("signedIn", { roles: licenceCodeRoles, scope: "licences:read" })
  @Text("Six groups of five characters. The last character is a checksum. Of staff, only support sees it.", {
    personal: { kept: "Needed to reject the licence code." },
  })
  @Unique()
  licenceCode!: string;

  @Text("Code that identifies the licence to support staff. It can't be used in the add-in.", {
    personal: { kept: "Needed to reject the licence code." },
  })
  @Unique()
  supportCode!: string;

  @Choice(productLevels)
  productLevel!: number;

  @Choice(licenceTypes)
  licenceType: Opt<number> = 1;

  @Choice(licenceCategories)
  licenceCategory: Opt<number> = 1;

  @Choice(licenceActivationTypes)
  licenceActivationType: Opt<number> = 0;

  @Integer("Number of users, or of seats of a concurrent licence.")
  numberOfUsers: Opt<number> = 1;

  @Integer("Number of devices that can be activated.")
  numberOfMachines: Opt<number> = 1;

  @Integer(
    "Lease period of `FLOATING_WITH_LEASE_PERIOD` in hours. For other activation types, the longest time in hours for which a seat can be borrowed; 0 if seats can't be borrowed.",
  )
  limitFloatingLeasePeriodToHours: Opt<number> = 0;

  @Integer("Minutes between heartbeats. Used by `CONCURRENT` licences.")
  floatingHeartBeatIntervalMinutes: Opt<number> = 15;

  @Text("The project of a `PROJECT` licence, in words.", { nullable: true, personal: { erasedBy: "project-terms" } })
  projectTerm: string | null = null;

  @Text("The customer's purchase order number.", { nullable: true, personal: kept.books })
  purchaseOrderNumber: string | null = null;

  @Flag("Whether the licence may be used on virtual machines.")
  allowOnVms: Opt<boolean> = false;

  @Moment("The date the licence expires, in UTC.")
  expiresAt!: Date;

  @Moment("The date the licence was created, in UTC.")
  createdAt!: Date;

  /**
   * When the licence was suspended: the account was archived, a payment disputed or the subscription paused. A
   * suspension can be lifted.
   */
  @Moment({ nullable: true })
  suspendedAt: Date | null = null;

  /**
   * When the licence was revoked, by 'Deactivate licence' in the admin area, a refund or an upgrade
   * (docs/domain.md#licence-status).
   */
  @Moment({ nullable: true, personal: { erasedBy: "licences" } })
  revokedAt: Date | null = null;

  @Integer("Number of conversions a trial includes; null if there is no limit.", { nullable: true })
  usageLimit: number | null = null;

  @Integer("Number of conversions recorded with this licence.")
  usageCount: Opt<number> = 0;

  @OneToMany(
    () => Device,
    (device) => device.licence,
  )
  devices = new Collection<Device>(this);
}

/** Access to the subscriptions that pay for licences. */
export interface LicenceBacking {
  /** Returns whether a user pays for a running subscription. */
  hasActiveSubscription: (context: Pick<Context, "em">, userId: string) => Promise<boolean>;
  /** Ends the subscription behind a licence, in the transaction of `em`; returns whether one was running. */
  endSubscription: (context: Context, em: EntityManager, licence: Licence) => Promise<boolean>;
  /** Releases the deferred revenue of licences that ended early, in the transaction of `em`. */
  releaseRevenue: (em: EntityManager, licenceIds: readonly string[], endedAt: Date) => Promise<void>;
  /** Defers again what the end of a licence released this month, in the transaction of `em`. */
  resumeRevenue: (em: EntityManager, licenceId: string, now: Date) => Promise<void>;
  /** SQL condition: a subscription renews the licence with table alias `l`. */
  isRenewedSql: string;
  /** SQL: whether the owner's running subscription pays for the licence with table alias `l`; null if there is none. */
  isSubscribedSql: string;
  /** SQL: the number of the open invoice whose payment extends the licence with table alias `l`; null if there is none. */
  renewalInvoiceSql: string;
}

export const licenceBacking = createSlot<LicenceBacking>("the subscriptions behind licences");
