import { labelOf, memberTypes } from "#schema/catalogue.ts";
import { importUserRules } from "#schema/rules/import.ts";
import { query } from "#api/platform/database.ts";
import type { CheckRows } from "./check-rows.ts";
import { judgeValues } from "./judge-values.ts";

/** Judges the users of an import: the form's rule, and whether the address has an account. */
export const checkUsers: CheckRows = async (_context, em, run, rows) => {
  const judged = rows.map((row) => ({ row, ...judgeValues(run.kind, importUserRules, row.values) }));
  const keys = rows.map(({ values }) => (values.email ?? "").toLowerCase());
  const known = await query<{ id: string; email: string }>(
    em,
    "select id, sign_in_email as email from users where sign_in_email = any($1)",
    [keys],
  );
  const owners = new Map(known.map(({ id, email }) => [email, id]));
  return judged.map(({ row, values, faults }) => {
    const email = (row.values.email ?? "").slice(0, 254).toWellFormed();
    const userId = owners.get(email.toLowerCase());
    const all = [...row.faults, ...faults];
    if (userId) all.push({ column: "Email", message: "Has an account already." });
    return {
      rowNumber: row.rowNumber,
      label: email,
      key: email ? email.toLowerCase() : undefined,
      userId,
      says: values
        ? `Creates the ${labelOf(memberTypes, values.memberType).toLowerCase()} user ${values.firstName} ${values.lastName}${
            run.options.inviteByMail ? " and invites them by mail" : ""
          }.`
        : "",
      faults: all,
      details: values ?? undefined,
    };
  });
};
