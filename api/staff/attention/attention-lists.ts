import { describeLeak, type LeakMeasures } from "#schema/leaks.ts";
import type { StaffRole } from "#schema/staff-roles.ts";
import { productLevels } from "#schema/product-level.ts";
import { ResultCode } from "#schema/result-code.ts";
import { findLabel } from "#schema/closed-list.ts";
import { formatMachineName } from "#schema/machine-name.ts";
import { isCloned } from "#api/licensing/leaks/measure-leaks.ts";
import { isActiveLicenceSql, isTrialSql } from "#api/licensing/licences/licence-status.ts";
import { latestAttemptSql } from "#api/billing/subscriptions/list-subscriptions.ts";
import { hasFailedRenewalSql, paidUntilSql } from "#api/billing/subscriptions/subscription.entity.ts";
import { isExpiringSql } from "#api/staff/dashboard/read-trials.ts";
import type { AttentionListName } from "#schema/attention.ts";

/** Facts about a row, used to describe it. */
export interface AttentionFacts {
  readonly licenceId: string | null;
  readonly productLevel: number | null;
  readonly machineName: string | null;
  readonly ip: string | null;
  readonly country: string | null;
  readonly subscriptionId: string | null;
  readonly amountCents: number | null;
  /** The bank's reason for a failed payment. */
  readonly reason: string | null;
  readonly leak: LeakMeasures | null;
  /** Times in milliseconds since 1970. */
  readonly nextRetryMs: number | null;
  readonly askedMs: number | null;
}

/** SQL type of each fact. */
export const factTypes: Readonly<Record<keyof AttentionFacts, string>> = {
  licenceId: "uuid",
  productLevel: "int",
  machineName: "text",
  ip: "text",
  country: "text",
  subscriptionId: "uuid",
  amountCents: "int",
  reason: "text",
  leak: "json",
  nextRetryMs: "float8",
  askedMs: "float8",
};

/** Query for one list and the text of its rows. `$1` is the current time. */
interface AttentionList {
  /** Staff roles, besides owners, that see the list; all that work with customers by default. */
  readonly roles?: readonly StaffRole[];
  /** SQL: the tables of the list. Counts and rows use the same SQL, so they agree. */
  readonly from: string;
  /** SQL: joins the user as `u` if `from` doesn't. Counts without a search skip this join. */
  readonly user: string;
  /** SQL: joins tables that only the rows need, not the counts. */
  readonly facts?: string;
  readonly where: string;
  /** SQL for the id, the relevant time and the facts of a row. Omitted facts are null. */
  readonly columns: Readonly<Partial<Record<keyof AttentionFacts, string>> & Record<"id" | "at", string>>;
  /** SQL that sorts the most urgent rows first. It must match an index. */
  readonly order: string;
  readonly describe: (facts: AttentionFacts) => string;
}

const getLevelLabel = ({ productLevel }: AttentionFacts) => findLabel(productLevels, productLevel ?? 0);

const userOfLicence = "join users u on u.id = l.user_id";
const licenceFacts = { id: "l.id", at: "l.expires_at", licenceId: "l.id", productLevel: "l.product_level" };

/** Query for each list. Every list has a dedicated index (migration 0020). */
export const attentionQueries: Record<AttentionListName, AttentionList> = {
  "failed-renewals": {
    from: `subscriptions s join users u on u.id = s.user_id join licences l on l.id = s.licence_id`,
    facts: latestAttemptSql,
    user: "",
    where: `${hasFailedRenewalSql} and u.archived_at is null and $1::timestamptz is not null`,
    columns: {
      id: "s.id",
      at: paidUntilSql,
      licenceId: "l.id",
      productLevel: "l.product_level",
      subscriptionId: "s.id",
      amountCents: "attempt.amount_cents",
      reason: "attempt.reason",
      nextRetryMs: "(extract(epoch from attempt.next_retry_at) * 1000)::float8",
    },
    order: `${paidUntilSql}, s.id`,
    describe: (facts) => `Payment for ${getLevelLabel(facts)} failed`,
  },
  "cancellations-pending": {
    from: `subscriptions s join users u on u.id = s.user_id join licences l on l.id = s.licence_id`,
    user: "",
    where: `s.cancellation_pending_since is not null and $1::timestamptz is not null`,
    columns: { id: "s.id", at: "s.cancellation_pending_since", licenceId: "l.id", productLevel: "l.product_level" },
    order: "s.cancellation_pending_since, s.id",
    describe: (facts) => `Account closed, but the ${getLevelLabel(facts)} subscription isn't cancelled or refunded yet`,
  },
  "trials-ending": {
    from: "licences l",
    user: userOfLicence,
    where: `${isActiveLicenceSql("$1::timestamptz")} and l.expires_at <= $1::timestamptz + interval '3 days' and ${isTrialSql}`,
    columns: licenceFacts,
    order: "l.expires_at, l.id",
    describe: () => "Trial ends",
  },
  "countries-to-check": {
    from: "users u",
    user: "",
    where: "u.unlisted_country = u.country and u.archived_at is null and $1::timestamptz is not null",
    columns: { id: "u.id", at: "u.registered_at", country: "u.country" },
    order: "u.registered_at, u.id",
    describe: ({ country }) => `Pays no GST, because the country is stored as “${country}”`,
  },
  "blocked-attempts": {
    from: "licence_events e join licences l on l.id = e.licence_id",
    user: userOfLicence,
    where: `e.result_code = ${ResultCode.MACHINE_BLOCKED} and e.at > $1::timestamptz - interval '24 hours'`,
    columns: {
      id: "e.id",
      at: "e.at",
      licenceId: "l.id",
      productLevel: "l.product_level",
      machineName: "e.machine_name",
      ip: "e.ip",
    },
    order: "e.at desc, e.id desc",
    describe: ({ machineName, ip }) =>
      `Blocked machine ${formatMachineName(machineName ?? "without a name")} tried to connect${ip ? ` from ${ip}` : ""}`,
  },
  "alternating-devices": {
    from: "devices d join licences l on l.id = d.licence_id",
    user: userOfLicence,
    where: isCloned("d", "$1"),
    columns: {
      id: "d.id",
      at: "d.alternated_at",
      licenceId: "l.id",
      productLevel: "l.product_level",
      machineName: "d.machine_name",
    },
    order: "d.alternated_at desc, d.id desc",
    describe: ({ machineName }) =>
      `The hardware of ${formatMachineName(machineName ?? "a device")} keeps alternating. It may be a cloned machine.`,
  },
  "leaked-licences": {
    roles: ["support"],
    from: "leak_measurements m join licences l on l.id = m.licence_id",
    user: userOfLicence,
    where: `m.listed_at is not null and ${isActiveLicenceSql("$1::timestamptz")}`,
    columns: {
      id: "l.id",
      at: "m.listed_at",
      licenceId: "l.id",
      leak: `json_build_object('networks', m.networks, 'machines', m.machines, 'permittedMachines', m.permitted_machines,
               'hours', m.hours, 'clones', m.clones)`,
      askedMs: "(extract(epoch from m.asked_at) * 1000)::float8",
    },
    order: "m.listed_at desc, m.licence_id",
    describe: ({ leak }) => (leak ? describeLeak(leak) : ""),
  },
  "licences-expiring": {
    from: "licences l",
    user: userOfLicence,
    where: isExpiringSql(30),
    columns: licenceFacts,
    order: "l.expires_at, l.id",
    describe: (facts) => `${getLevelLabel(facts)} licence expires and won't renew`,
  },
  "unconfirmed-accounts": {
    from: "users u",
    user: "",
    where: `u.email_confirmed_at is null and u.archived_at is null and u.sign_in_email is not null
            and $1::timestamptz is not null`,
    columns: { id: "u.id", at: "u.registered_at" },
    order: "u.registered_at, u.id",
    describe: () => "Email address not confirmed",
  },
};
