import { ResultCode } from "#schema/catalogue.ts";
import type { AddinValues } from "#schema/rules/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import {
  type LicenceAnswer,
  nameOfResultCode,
  readLicenceCode,
  refuseUnknownCode,
} from "#api/licensing/licences/licence-answer.ts";
import { askedRow, askedRows, refusalOfStanding } from "#api/licensing/licences/licence-standing.ts";
import { noteLicenceEvent } from "#api/licensing/licences/note-licence-event.ts";

/** The licence that a machine wants to move to, and its owner. */
export interface MovedLicence {
  readonly licenceId: string;
  readonly userId: string;
  readonly email: string;
  readonly firstName: string;
}

const lockedLicence = `
  select l.id as "licenceId", l.user_id as "userId", u.email, u.first_name as "firstName", ${refusalOfStanding} as refusal
    from ${askedRows}
    join licences l on l.licence_code = a.licence_code
    join users u on u.id = l.user_id
     for update of l`;

/**
 * Answers one call of a move: by the licence's standing, or by `answer`, under the licence's lock. `answer` says null
 * for a wrong code. Every call on a known licence is an event.
 * @returns null when `answer` did.
 * @throws AppError BAD_USER_INPUT for a mistyped code, RATE_LIMITED for many unknown ones.
 */
export async function answerMove(
  context: Context,
  asked: AddinValues,
  answer: (em: EntityManager, licence: MovedLicence) => Promise<LicenceAnswer | null>,
): Promise<LicenceAnswer | null> {
  const rows = JSON.stringify([askedRow(context, readLicenceCode(asked.licenceCode), asked)]);
  const known = await inTransaction(context, async (em) => {
    const [licence] = await query<MovedLicence & { refusal: number | null }>(em, lockedLicence, [rows]);
    if (!licence) return undefined;
    const said = licence.refusal ? { code: nameOfResultCode(licence.refusal) } : await answer(em, licence);
    noteLicenceEvent(context, em, {
      kind: "move",
      resultCode: ResultCode[said?.code ?? "FAILED"],
      licenceId: licence.licenceId,
      asked,
    });
    return said;
  });
  return known === undefined ? refuseUnknownCode(context, "move", asked) : known;
}
