import { formatFullAddress } from "#schema/address-forms.ts";
import { findLabel } from "#schema/closed-list.ts";
import { importUserRules, type ImportUserValues } from "#schema/import.ts";
import { memberTypes } from "#schema/user.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { recordChanges } from "#api/audit/change-log/record-change.ts";
import { hashUnusablePassword } from "#api/access/sessions/password.ts";
import { emailUserOnce } from "#api/messaging/emails/send-email.ts";
import { accountCreated } from "#api/messaging/emails/templates/account-created.tsx";
import type { BulkRun } from "./bulk-run.entity.ts";
import type { CheckRows } from "./check-rows.ts";
import type { ApplyRows, AppliedRow, PlannedRow } from "./process-rows.ts";
import { readEmail, validateValues } from "./validate-values.ts";

/** Validates the users of an import and rejects email addresses that already have an account. */
export const checkUsers: CheckRows = async (_context, em, run, rows) => {
  const emails = rows.map(readEmail);
  const known = await query<{ id: string; email: string }>(
    em,
    `select id, sign_in_email as email from users where sign_in_email = any($1)
     union all select user_id, old_sign_in_email from email_changes where old_sign_in_email = any($1)`,
    [emails.map((email) => email.toLowerCase())],
  );
  const owners = new Map(known.map(({ id, email }) => [email, id]));
  return rows.map((row, at) => {
    const { values, faults } = validateValues(run.kind, importUserRules, row.values);
    const email = emails[at] ?? "";
    const key = email.toLowerCase();
    const userId = owners.get(key);
    const taken = { column: "Email", message: "An account with this email address already exists." };
    return {
      rowNumber: row.rowNumber,
      label: email,
      key: key || undefined,
      keyColumn: "Email",
      userId,
      says: values
        ? `Creates the ${findLabel(memberTypes, values.memberType).toLowerCase()} user ${values.firstName} ${values.lastName}${
            run.options.inviteByMail ? " and sends an invitation email" : ""
          }.`
        : "",
      faults: [...row.faults, ...faults, ...(userId ? [taken] : [])],
      details: values ?? undefined,
    };
  });
};

// Imported accounts are confirmed because staff vouch for the address. Unconfirmed accounts would get a reminder and
// be removed within a week (decision 0036).
const insertUsers = `
  insert into users (id, confirmation_handle, first_name, last_name, email, sign_in_email, password_hash, mobile,
         company_name, abn, position, member_type, is_tester, is_service_provider, full_address, unit_number,
         street_number, street_name, city, state, post_code, country, referrer, is_subscribed_to_newsletter,
         annual_deactivation_limit, registered_at, email_confirmed_at)
  select gen_random_uuid(), gen_random_uuid(), "firstName", "lastName", email, "signInEmail", $2, mobile,
         coalesce("companyName", ''), coalesce(abn, ''), coalesce(position, ''), "memberType", "isTester",
         "isServiceProvider", "fullAddress", coalesce("unitNumber", ''), "streetNumber", "streetName", city, state,
         "postCode", country, coalesce(referrer, ''), "isSubscribedToNewsLetter", "annualDeactivationLimit", $3, $3
    from jsonb_to_recordset($1::jsonb) as one ("firstName" text, "lastName" text, email text, "signInEmail" text,
         mobile text, "companyName" text, abn text, position text, "memberType" smallint, "isTester" boolean,
         "isServiceProvider" boolean, "fullAddress" text, "unitNumber" text, "streetNumber" text, "streetName" text,
         city text, state text, "postCode" text, country text, referrer text, "isSubscribedToNewsLetter" boolean,
         "annualDeactivationLimit" int)
   where not exists (select from email_changes c where c.old_sign_in_email = one."signInEmail")
  on conflict (sign_in_email) do nothing
  returning id, sign_in_email as "signInEmail"`;

/**
 * Returns a function that creates the users of an import. All of them get the same random password, which no one
 * knows. Users set their own with “Forgot password”.
 * @throws AppError UNAVAILABLE while too many passwords are waiting to be hashed.
 */
export async function createUserApplier(): Promise<ApplyRows> {
  const passwordHash = await hashUnusablePassword();
  return (context, em, run, rows) => applyUsers(context, em, run, rows, passwordHash);
}

const getDetails = ({ details }: PlannedRow): ImportUserValues => details;

/** Creates the users. A row fails if its email address has been registered since the check. */
async function applyUsers(
  context: Context,
  em: EntityManager,
  run: BulkRun,
  rows: readonly PlannedRow[],
  passwordHash: string,
): Promise<AppliedRow[]> {
  const values = rows.map(getDetails).map((details) => ({
    ...details,
    // PostgreSQL's lower case differs from the one of signing in for some letters.
    signInEmail: details.email.toLowerCase(),
    fullAddress: formatFullAddress(details),
  }));
  const created = await query<{ id: string; signInEmail: string }>(em, insertUsers, [
    JSON.stringify(values),
    passwordHash,
    context.clock.now(),
  ]);
  const ids = new Map(created.map(({ id, signInEmail }) => [signInEmail, id]));
  const findId = (row: PlannedRow) => ids.get(getDetails(row).email.toLowerCase());
  const newUsers = rows.flatMap((row) => {
    const id = findId(row);
    return id ? [{ id, details: getDetails(row) }] : [];
  });
  await recordChanges(
    context,
    em,
    run.createdByName,
    newUsers.map(({ id, details }) => ({
      action: "create-user",
      subject: { type: "user", id, name: `${details.firstName} ${details.lastName}` },
      userId: id,
      bulkRunId: run.id,
      after: Object.fromEntries(Object.entries(details).map(([name, value]) => [name, value ?? null])),
    })),
  );
  if (run.options.inviteByMail)
    for (const { id, details } of newUsers)
      await emailUserOnce(context, em, details, `invitation:${id}`, accountCreated, {
        email: details.email,
        invitation: null,
        isAdmin: false,
      });
  return rows.map((row): AppliedRow => {
    const { rowNumber } = row;
    const userId = findId(row);
    if (userId)
      return { rowNumber, state: "done", says: run.options.inviteByMail ? "Created and invited." : "Created.", userId };
    return { rowNumber, state: "failed", says: "An account with this email address was created since the check." };
  });
}
