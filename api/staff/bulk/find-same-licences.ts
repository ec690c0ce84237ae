import { type EntityManager, query } from "#api/platform/database/database.ts";

/** A row of an import of licences, with the values of its rule. */
interface ImportedLicence {
  readonly rowNumber: number;
  readonly userId?: string | null | undefined;
  readonly details?: object | undefined;
}

/**
 * Finds licences that an import would add again, for example because the same file is imported twice: licences of the same user
 * with the same terms, expiry date and PO number, which aren't deactivated. Leaves out the ones that the run itself added,
 * because a file may list several licences with the same terms.
 * @returns messages by row number
 */
export async function findSameLicences(
  em: EntityManager,
  runId: string,
  rows: readonly ImportedLicence[],
): Promise<ReadonlyMap<number, string>> {
  const given = rows.map(({ rowNumber, userId, details }) => ({ rowNumber, userId, ...details }));
  const found = await query<{ rowNumber: number; supportCode: string }>(
    em,
    `select r."rowNumber", min(l.support_code) as "supportCode"
       from jsonb_to_recordset($2::jsonb) as r ("rowNumber" int, "userId" uuid, "productLevel" int, "licenceType" int,
            "licenceCategory" int, "licenceActivationType" int, "numberOfUsers" int, "numberOfMachines" int,
            "projectTerm" text, "purchaseOrderNumber" text, "expiryDate" timestamptz)
       join licences l on l.user_id = r."userId" and l.revoked_at is null and l.product_level = r."productLevel"
        and l.licence_type = r."licenceType" and l.licence_category = r."licenceCategory"
        and l.licence_activation_type = r."licenceActivationType" and l.number_of_users = r."numberOfUsers"
        and l.number_of_machines = r."numberOfMachines" and l.expires_at = r."expiryDate"
        and coalesce(l.project_term, '') = coalesce(r."projectTerm", '')
        and coalesce(l.purchase_order_number, '') = coalesce(r."purchaseOrderNumber", '')
      where not exists (select from bulk_rows b where b.run_id = $1 and b.licence_id = l.id)
      group by 1`,
    [runId, JSON.stringify(given)],
  );
  return new Map(
    found.map(({ rowNumber, supportCode }) => [
      rowNumber,
      `This user already has this licence, ${supportCode}. Use Add Licence for another one.`,
    ]),
  );
}
