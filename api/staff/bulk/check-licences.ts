import { licenceTypes } from "#schema/licence.ts";
import { MemberType } from "#schema/user.ts";
import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import { importLicenceRules } from "#schema/import.ts";
import { query } from "#api/platform/database/database.ts";
import type { CheckRows } from "./check-rows.ts";
import { formatFileDate, validateValues } from "./validate-values.ts";

interface Owner {
  readonly id: string;
  readonly email: string;
  readonly memberType: number;
  readonly isArchived: boolean;
}

/** Validates the licences of an import against the rules of Add Licence and checks that their users may have licences. */
export const checkLicences: CheckRows = async (_context, em, run, rows) => {
  const known = await query<Owner>(
    em,
    `select id, sign_in_email as email, member_type as "memberType", archived_at is not null as "isArchived"
       from users where sign_in_email = any($1)`,
    [rows.map(({ values }) => (values.email ?? "").toLowerCase())],
  );
  const owners = new Map(known.map((owner) => [owner.email, owner]));
  return rows.map((row) => {
    const { values, faults } = validateValues(run.kind, importLicenceRules, row.values);
    const email = (row.values.email ?? "").slice(0, 254).toWellFormed();
    const owner = owners.get(email.toLowerCase());
    const refusal = email ? findRefusal(owner) : null;
    return {
      rowNumber: row.rowNumber,
      label: email,
      userId: owner?.id,
      says: values
        ? `Adds ${findLabel(productLevels, values.productLevel)}, ${findLabel(licenceTypes, values.licenceType)}, until ${formatFileDate(
            values.expiryDate,
          )}; ${formatCount(values.numberOfUsers, "user")}, ${formatCount(values.numberOfMachines, "machine")}.`
        : "",
      faults: [...row.faults, ...faults, ...(refusal ? [{ column: "Email", message: refusal }] : [])],
      details: values ? { ...values, expiryDate: values.expiryDate.toISOString() } : undefined,
    };
  });
};

function findRefusal(owner: Owner | undefined): string | null {
  if (!owner) return "No user signs in with this email address.";
  if (owner.isArchived) return "This user is archived.";
  return owner.memberType === MemberType.Admin ? "Admins can't have licences." : null;
}

const formatCount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
