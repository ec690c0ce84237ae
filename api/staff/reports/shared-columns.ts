import { memberTypes, messageOfResultCode, ResultCode, type ResultCodeName } from "#schema/catalogue.ts";
import { answerInWords, askedInWords, licenceEventKinds } from "#schema/licence-history.ts";
import { inWords, labelColumn, type ReportColumn } from "./report.ts";
import { isActiveSql, isPastDueSql } from "#api/selling/subscriptions/subscription-states.ts";

/** SQL: what is left of a deleted account's address names nobody. */
export const emailOfUser = "case when u.deleted_at is null then u.email end";

/** SQL: whether an account can be signed in to. */
export const standingOfUser =
  "case when u.deleted_at is not null then 'Deleted' when u.archived_at is not null then 'Archived' when u.id is not null then 'Active' end";

/** Whose the row is, `u` of `users`: every report that is not about users ends with these, so that nobody looks twice. */
export const ownerColumns: readonly ReportColumn[] = [
  { title: "First Name", kind: "text", sql: "u.first_name" },
  { title: "Last Name", kind: "text", sql: "u.last_name" },
  { title: "Company", kind: "text", sql: "u.company_name", width: 28 },
  { title: "Email", kind: "text", sql: emailOfUser, width: 32 },
  { title: "Phone", kind: "text", sql: "u.mobile" },
  labelColumn("User Type", memberTypes, "u.member_type", 12),
  { title: "Account", kind: "text", sql: standingOfUser, isOurs: true, width: 12 },
];

const codes = Object.entries(ResultCode) as [ResultCodeName, number][];

/** What was asked by an event `e` of `licence_events`, in words. */
export const askedColumn: ReportColumn = {
  title: "Event",
  kind: "text",
  sql: inWords(
    "e.kind",
    licenceEventKinds.map((kind) => [kind, askedInWords(kind)]),
  ),
  isOurs: true,
  width: 32,
};

/** What was answered to an event `e`: the code, its name and its words. */
export const answerColumns: readonly ReportColumn[] = [
  { title: "Result Code", kind: "number", sql: "e.result_code", width: 12 },
  {
    title: "Result",
    kind: "text",
    sql: inWords(
      "e.result_code",
      codes.map(([name, code]) => [code, name]),
    ),
    isOurs: true,
    width: 28,
  },
  {
    title: "Answer",
    kind: "text",
    sql: `case when e.result_code = ${ResultCode.VALID}
      then ${inWords(
        "e.kind",
        licenceEventKinds.map((kind) => [kind, answerInWords(kind, "VALID")]),
      )}
      else ${inWords(
        "e.result_code",
        codes.map(([name, code]) => [code, messageOfResultCode[name]]),
      )} end`,
    isOurs: true,
    width: 60,
  },
];

/** From which machine an event `e` came. */
export const machineColumns: readonly ReportColumn[] = [
  { title: "Machine Name", kind: "text", sql: "e.machine_name", width: 30 },
  { title: "Windows User", kind: "text", sql: "e.os_user", width: 24 },
];

/** With which versions, and from where, an event `e` came. */
export const versionColumns: readonly ReportColumn[] = [
  { title: "Add-In Version", kind: "text", sql: "e.add_in_version" },
  { title: "Host Version", kind: "text", sql: "e.host_version" },
  { title: "IP Address", kind: "text", sql: "e.ip" },
];

/**
 * SQL: the words for a price id, `Professional, yearly` as `planPriceName` says them; the id itself for one that the
 * catalogue no longer has.
 */
function planNameIn(priceId: string): string {
  return `coalesce((select p.name || ', ' || pp.interval from plan_prices pp join plans p on p.slug = pp.plan_slug
    where pp.id = ${priceId}), ${priceId})`;
}

/** A column with the plan of a price id, whose name is of our catalogue. */
export function planColumn(title: string, priceId: string): ReportColumn {
  return { title, kind: "text", sql: planNameIn(priceId), isOurs: true, width: 24 };
}

/** Returns the column with the state of the subscription `s` at the moment `now`; empty without a subscription. */
export function subscriptionStatusColumn(now: string): ReportColumn {
  return {
    title: "Subscription Status",
    kind: "text",
    sql: `case when ${isPastDueSql(now)} then 'Payment overdue'
               when ${isActiveSql(now)} and s.is_cancelled_at_period_end then 'Ends with its period'
               when ${isActiveSql(now)} then 'Active'
               when s.status = 'cancelled' then 'Cancelled' end`,
    isOurs: true,
    width: 20,
  };
}
