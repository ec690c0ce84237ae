import { ResultCode } from "#schema/result-code.ts";
import type { AddinValues } from "#schema/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, inTransaction, query } from "#api/platform/database/database.ts";
import {
  type LicenceAnswer,
  getResultCodeName,
  parseLicenceCode,
  refuseUnknownCode,
} from "#api/licensing/licences/licence-answer.ts";
import { toRequestRow, requestRowsSql, licenceRefusalSql } from "#api/licensing/licences/licence-checks.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";

/** The licence that a machine wants to move to, and its owner. */
export interface LicenceToMove {
  readonly licenceId: string;
  readonly userId: string;
  readonly email: string;
  readonly firstName: string;
}

const lockedLicence = `
  select l.id as "licenceId", l.user_id as "userId", u.email, u.first_name as "firstName", ${licenceRefusalSql} as refusal
    from ${requestRowsSql}
    join licences l on l.licence_code = a.licence_code
    join users u on u.id = l.user_id
     for update of l`;

/**
 * Handles a call from 'Move my licence here' in the add-in. Locks the licence, refuses the call if the licence's status
 * requires it, and otherwise calls `handle`. Records a licence event for every known licence.
 * @returns null if `handle` returned null, which means a wrong email code.
 * @throws AppError BAD_USER_INPUT for a mistyped licence code, RATE_LIMITED after many unknown licence codes.
 */
export async function handleMoveCall(
  context: Context,
  values: AddinValues,
  handle: (em: EntityManager, licence: LicenceToMove) => Promise<LicenceAnswer | null>,
): Promise<LicenceAnswer | null> {
  const rows = JSON.stringify([toRequestRow(context, parseLicenceCode(values.licenceCode), values)]);
  const known = await inTransaction(context, async (em) => {
    const [licence] = await query<LicenceToMove & { refusal: number | null }>(em, lockedLicence, [rows]);
    if (!licence) return undefined;
    const answer = licence.refusal ? { code: getResultCodeName(licence.refusal) } : await handle(em, licence);
    recordLicenceEvent(context, em, {
      kind: "move",
      resultCode: ResultCode[answer?.code ?? "FAILED"],
      licenceId: licence.licenceId,
      request: values,
    });
    return answer;
  });
  return known === undefined ? refuseUnknownCode(context, "move", values) : known;
}
