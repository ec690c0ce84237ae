import { Ctx, Mutation, Resolver } from "type-graphql";
import { ResultCode, resultCodes, messageOfResultCode, type ResultCodeName } from "#schema/result-code.ts";
import {
  offlineActivationRules,
  type OfflineActivationValues,
  addinRules,
  type AddinValues,
  parseRequestFile,
} from "#schema/protocol.ts";
import { Allow, createType, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import type { Context, Services } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { AppError, badInput, conflict, notFound } from "#api/platform/errors.ts";
import { describedText, routesOf } from "#api/platform/http/define-route.ts";
import { exampleRequest } from "#api/platform/http/route-examples.ts";
import { requireIdentifyingFingerprint } from "./component-values.ts";
import { Device } from "./device.entity.ts";
import { type EntityManager, inTransaction } from "#api/platform/database/database.ts";
import { hashSecret } from "#api/platform/keys/secrets.ts";
import { isLeased } from "#api/licensing/leases/lease-terms.ts";
import {
  isIssuedCode,
  parseLicenceCode,
  refuseUnknownCode,
  type LicenceAnswer,
} from "#api/licensing/licences/licence-answer.ts";
import { recordRepeatedEvent } from "#api/licensing/licences/record-licence-event.ts";
import type { LicenceFacts } from "#api/licensing/licences/licence-checks.ts";
import { answerSandbox } from "#api/licensing/sandbox/answer-sandbox.ts";
import { isSandboxCode } from "#api/licensing/sandbox/sandbox-licence.ts";
import { deriveSandboxId } from "#api/licensing/sandbox/sandbox-tokens.ts";
import { type LockedLicence, lockLicence, getRefusal, activateOnLicence } from "./activate-device.ts";
import { check } from "#api/platform/validate.ts";
import { buildAddinData, getSigningServices } from "#api/licensing/licences/addin.json.ts";
import { signLicenceProof } from "#api/licensing/licences/licence-proof.ts";

const ActivateOfflineInput = createInput("ActivateOfflineInput", offlineActivationRules, {
  description: "Input for an offline activation.",
  fields: { requestFile: "Content of the request file saved by the add-in: JSON, or JSON in base64. At most 50 kB." },
});

export const ActivateOfflineResult = createType(
  "ActivateOfflineResult",
  "customer",
  "Result of an offline activation. A refusal is returned as a result code, not as an error.",
  {
    code: field.choice<number>(resultCodes, "Result; `VALID` if the machine was activated."),
    message: field.text("Message to show to the user."),
    licenceId: field.id("The licence with the licence code in the request file."),
    licenceFile: fieldOrNull.text(
      "Content of the licence file, to be opened in the add-in. Null if the activation was refused.",
    ),
    goodUntil: fieldOrNull.moment("The date the licence file expires and the device is unlocked, in UTC."),
    device: fieldOrNull.object(() => Device, "The activated device.", { access: Scope("licences:write") }),
  },
);
export type ActivateOfflineResult = InstanceType<typeof ActivateOfflineResult>;

@Resolver()
export class OfflineActivationResolver {
  @Allow("customer", { scope: "licences:write" })
  @Mutation(() => ActivateOfflineResult, {
    description:
      "Activates a machine that has no internet connection on one of the caller's licences and returns a licence file.",
  })
  async activateOffline(
    @CheckedArg("input", ActivateOfflineInput) input: OfflineActivationValues,
    @Ctx() context: Context,
  ): Promise<ActivateOfflineResult> {
    const { code, message, licenceId, file, device } = await activateOffline(context, input);
    return {
      code: ResultCode[code],
      message,
      licenceId,
      licenceFile: file?.text ?? null,
      goodUntil: file?.goodUntil ?? null,
      device: device ?? null,
    };
  }
}

const defineRoute = routesOf("Licences");

/** Call for activating devices offline. */
export const offlineActivationRoutes = [
  defineRoute("POST /v1/licence/offline", {
    operation: "Mutation.activateOffline",
    summary:
      "Activate a device offline. Takes the request file of a device without a connection and returns a licence file. A refusal returns 409 with the reason",
    body: offlineActivationRules,
    bodyExample: { requestFile: JSON.stringify(exampleRequest) },
    errors: ["CONFLICT", "NOT_FOUND"],
    response: describedText("Content of the licence file"),
    example: "-----BEGIN LICENCE FILE-----\neyJhbGciOiJFUzI1NiIs…\n-----END LICENCE FILE-----\n",
    handler: async ({ context, body }) => {
      const { file, message } = await activateOffline(context, body);
      if (!file) throw conflict(message);
      return file.text;
    },
  }),
];

/** Returns the message for licences with seats, because a licence file would occupy a seat for two weeks (decision 0025). */
const describeSeats = ({ leaseHours }: Pick<LicenceFacts, "leaseHours">) =>
  `This licence is shared by seats, which a licence file would keep from the others. ${
    leaseHours > 0
      ? "Please borrow a seat in the add-in instead, while the machine is online."
      : "Its seats can't be borrowed either. Please contact us to work without a connection."
  }`;

const ACTIVATED = "The device was activated. Now carry the licence file to it.";

/** Result of an offline activation. Only VALID has a file. */
interface OfflineActivation {
  readonly code: ResultCodeName;
  /** Message to show to the customer. */
  readonly message: string;
  readonly licenceId: string;
  readonly file?: LicenceFile;
  readonly device?: Device;
}

/**
 * Activates a machine that has no connection from its request file, and returns a licence file
 * (docs/domain.md#licence-file). The rules of an online activation apply, and the device is locked until the file
 * expires. Another request from the same machine renews the file.
 * @throws AppError BAD_USER_INPUT for an invalid request file; NOT_FOUND for a licence code that is unknown or belongs
 * to another account; RATE_LIMITED after 60 activations of a licence in 30 seconds or many unknown codes.
 */
async function activateOffline(context: Context, { requestFile }: OfflineActivationValues): Promise<OfflineActivation> {
  const request = parseOfflineRequest(requestFile);
  if (isSandboxCode(request.licenceCode)) return activateInSandbox(context, request);
  if (!(await isIssuedCode(context, request.licenceCode))) return refuseCode(context, request);
  await context.rateLimits.take("activation", hashSecret(request.licenceCode));
  const known = await inTransaction(context, async (em): Promise<OfflineActivation | null> => {
    const licence = await lockLicence(context, em, request.licenceCode, request);
    if (!licence || licence.userId !== context.actor?.userId) return null;
    const activation = await activateOnLockedLicence(context, em, licence, request);
    await recordRepeatedEvent(context, em, {
      kind: "offline",
      resultCode: ResultCode[activation.code],
      licenceId: licence.licenceId,
      deviceId: activation.device?.id ?? null,
      request: request,
    });
    return activation;
  });
  return known ?? refuseCode(context, request);
}

/** Records a code that is unknown or belongs to another account, and refuses it. */
async function refuseCode(context: Context, request: AddinValues): Promise<never> {
  await refuseUnknownCode(context, "offline", request);
  throw notFound();
}

/** Returns a sandbox licence file, which released add-ins reject. No device is activated (decision 0054). */
async function activateInSandbox(context: Context, request: AddinValues): Promise<OfflineActivation> {
  const answer = await answerSandbox(context, "offline", request);
  const { code, licence } = answer;
  if (code === "LICENCE_NOT_FOUND") throw notFound();
  // Not every answer describes its licence, but the field `licence` needs the ID of one.
  const licenceId = deriveSandboxId("licence", request.licenceCode);
  if (code !== "VALID") return { code, message: messageOfResultCode[code], licenceId };
  if (licence && isLeased(licence)) return { code: "FAILED", message: describeSeats(licence), licenceId };
  return { code, message: ACTIVATED, licenceId, file: createLicenceFile(context, request, answer) };
}

async function activateOnLockedLicence(
  context: Context,
  em: EntityManager,
  licence: LockedLicence,
  request: AddinValues,
): Promise<OfflineActivation> {
  const { licenceId } = licence;
  const toRefusal = (code: ResultCodeName, message = messageOfResultCode[code]) => ({ code, message, licenceId });
  const refusal = getRefusal(licence);
  if (refusal) return toRefusal(refusal.code);
  if (isLeased(licence)) return toRefusal("FAILED", describeSeats(licence));
  const outcome = await activateOnLicence(context, em, licence, request);
  if (outcome.code !== "VALID") return toRefusal(outcome.code);
  const { device } = outcome;
  const file = createLicenceFile(context, request, { code: "VALID", licence, deviceId: device.id });
  // An earlier file can be valid for longer if the licence has been shortened since then, and it may still be in use.
  if (!device.offlineUntil || device.offlineUntil < file.goodUntil) device.offlineUntil = file.goodUntil;
  return { code: "VALID", message: ACTIVATED, licenceId, device, file };
}

/**
 * Parses a request file, validates it like a request from the add-in, and normalises its licence code.
 * @throws AppError BAD_USER_INPUT with a message for each invalid field of the file, all under `requestFile`.
 */
function parseOfflineRequest(requestFile: string): AddinValues {
  const file = parseRequestFile(requestFile);
  if ("fault" in file) throw badInput({ requestFile: [file.fault] });
  try {
    const values = check(addinRules, file.values);
    // The licence file would be valid on every machine with this fingerprint.
    requireIdentifyingFingerprint(values.machine);
    return { ...values, licenceCode: parseLicenceCode(values.licenceCode) };
  } catch (error) {
    if (!(error instanceof AppError) || !error.fields) throw error;
    const invalidFields = Object.entries(error.fields);
    throw badInput({
      requestFile: invalidFields.map(([name, messages]) => `In the request file, ${name}: ${messages.join(" ")}`),
    });
  }
}

/** Licence file for a device without an internet connection. */
interface LicenceFile {
  /** Content of the file: a JWS on one line between the begin and end markers. */
  readonly text: string;
  /** Time until which the device may run on the file: its `exp`, never later than the licence's expiry. */
  readonly goodUntil: Date;
}

/**
 * Creates the licence file for a device that may run (docs/domain.md#licence-file): a JWS like a proof, with type
 * `licence-file`, over the activation's answer without a machine token (decision 0025).
 * @throws Error if the answer is a refusal.
 */
function createLicenceFile(
  services: Pick<Services, "keys" | "clock">,
  asked: AddinValues,
  answer: LicenceAnswer,
): LicenceFile {
  const now = services.clock.now();
  // Users transfer a request file by hand, so its age says nothing about the device's clock.
  const { data, graceUntil } = buildAddinData({ ...asked, clientTimeUtc: now }, answer, now);
  if (!graceUntil) throw new Error("A licence file can't be created for a refusal.");
  const jws = signLicenceProof(getSigningServices(services, answer), {
    type: "licence-file",
    data,
    nonce: asked.nonce,
    fingerprint: asked.machine.fingerprint,
    expiresAt: graceUntil,
  });
  return { text: `-----BEGIN LICENCE FILE-----\n${jws}\n-----END LICENCE FILE-----\n`, goodUntil: graceUntil };
}
