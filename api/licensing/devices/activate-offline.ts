import { messageOfResultCode, ResultCode, type ResultCodeName } from "#schema/catalogue.ts";
import { addinRules, type AddinValues, type OfflineActivationValues } from "#schema/rules/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { AppError, badInput, notFound } from "#api/platform/errors.ts";
import { hashSecret } from "#api/platform/secrets.ts";
import { inTransaction } from "#api/platform/transactions.ts";
import { isLeased } from "#api/licensing/leases/lease-terms.ts";
import { readLicenceCode, refuseUnknownCode } from "#api/licensing/licences/licence-answer.ts";
import { type LicenceFile, licenceFileOf } from "#api/licensing/licences/licence-file.ts";
import { noteRepeatedEvent } from "#api/licensing/licences/note-licence-event.ts";
import { answerSandbox } from "#api/licensing/sandbox/answer-sandbox.ts";
import { isSandboxCode } from "#api/licensing/sandbox/sandbox-licence.ts";
import { type LockedLicence, lockLicence, refusalOf, takePlace } from "./activate-device.ts";
import type { Device } from "./device.entity.ts";
import { readRequestFile } from "#schema/request-file.ts";
import { check } from "#api/platform/validate.ts";

/** A seat lives for minutes, and a file would keep it for two weeks (decision 0025). */
const SEATS_ARE_BORROWED =
  "This licence is shared by seats, which a licence file would keep from the others. Please borrow a seat in the add-in instead, while the machine is online.";

const ACTIVATED = "The device was activated. Now carry the licence file to it.";

/** How an offline activation ended; with VALID there is a file. */
export interface OfflineActivation {
  readonly code: ResultCodeName;
  /** The sentence to show. */
  readonly message: string;
  readonly licenceId: string;
  readonly file?: LicenceFile;
  readonly device?: Device;
}

/**
 * Activates a machine that has no connection, from the request file that its owner carried here, and answers with a
 * licence file (docs/domain.md#licence-file). It takes a place by the rules of an activation and locks the device until
 * the file ends. The same request again renews the file.
 * @throws AppError BAD_USER_INPUT for a file that is none, NOT_FOUND alike for foreign and unknown licence codes,
 * RATE_LIMITED after 60 activations of a licence in 30 seconds, or many unknown codes.
 */
export async function activateOffline(
  context: Context,
  { requestFile }: OfflineActivationValues,
): Promise<OfflineActivation> {
  const asked = readOfflineRequest(requestFile);
  if (isSandboxCode(asked.licenceCode)) return activateInSandbox(context, asked);
  await context.rateLimits.take("activation", hashSecret(asked.licenceCode));
  const known = await inTransaction(context, async (em): Promise<OfflineActivation | null> => {
    const licence = await lockLicence(context, em, asked.licenceCode, asked);
    if (!licence || licence.userId !== context.actor?.userId) return null;
    const activation = await activateLocked(context, em, licence, asked);
    await noteRepeatedEvent(context, em, {
      kind: "offline",
      resultCode: ResultCode[activation.code],
      licenceId: licence.licenceId,
      deviceId: activation.device?.id ?? null,
      asked,
    });
    return activation;
  });
  if (known) return known;
  await refuseUnknownCode(context, "offline", asked);
  throw notFound();
}

/** A file that no add-in in use accepts, for no device (decision 0054). */
async function activateInSandbox(context: Context, asked: AddinValues): Promise<OfflineActivation> {
  const answer = await answerSandbox(context, "offline", asked);
  const { code, licence } = answer;
  if (code === "LICENCE_NOT_FOUND") throw notFound();
  const licenceId = licence?.licenceId ?? "";
  if (code !== "VALID") return { code, message: messageOfResultCode[code], licenceId };
  if (licence && isLeased(licence)) return { code: "FAILED", message: SEATS_ARE_BORROWED, licenceId };
  return { code, message: ACTIVATED, licenceId, file: licenceFileOf(context, asked, answer) };
}

async function activateLocked(
  context: Context,
  em: EntityManager,
  licence: LockedLicence,
  asked: AddinValues,
): Promise<OfflineActivation> {
  const { licenceId } = licence;
  const refused = (code: ResultCodeName, message = messageOfResultCode[code]) => ({ code, message, licenceId });
  const refusal = refusalOf(licence);
  if (refusal) return refused(refusal.code);
  if (isLeased(licence)) return refused("FAILED", SEATS_ARE_BORROWED);
  const outcome = await takePlace(context, em, licence, asked);
  if (outcome.code !== "VALID") return refused(outcome.code);
  const { device } = outcome;
  const file = licenceFileOf(context, asked, { code: "VALID", licence, deviceId: device.id });
  // An earlier file may reach further, where the licence's end was drawn in since; it is still out there.
  if (!device.offlineUntil || device.offlineUntil < file.goodUntil) device.offlineUntil = file.goodUntil;
  return { code: "VALID", message: ACTIVATED, licenceId, device, file };
}

/**
 * The add-in's question in a request file, checked like one that the add-in asks itself, with the code as it is stored.
 * @throws AppError BAD_USER_INPUT under `requestFile`, with a sentence for everything that is wrong in the file.
 */
function readOfflineRequest(requestFile: string): AddinValues {
  const file = readRequestFile(requestFile);
  if ("fault" in file) throw badInput({ requestFile: [file.fault] });
  try {
    const values = check(addinRules, file.values);
    return { ...values, licenceCode: readLicenceCode(values.licenceCode) };
  } catch (error) {
    if (!(error instanceof AppError) || !error.fields) throw error;
    const faults = Object.entries(error.fields);
    throw badInput({ requestFile: faults.map(([name, said]) => `In the request file, ${name}: ${said.join(" ")}`) });
  }
}
