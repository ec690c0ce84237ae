import { sandboxDeviceCodes } from "#schema/sandbox-codes.ts";
import type { PollDeviceAuthorizationValues } from "#schema/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import type { PollOutcome } from "#api/licensing/device-authorizations/poll-device-authorization.ts";
import { isWellFormedLicenceCode, normaliseLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { answerSandbox } from "./answer-sandbox.ts";
import { isSandboxCode } from "./sandbox-licence.ts";

const refusals = sandboxDeviceCodes.map((deviceCode) => {
  const error = deviceCode.slice("sandbox-".length);
  return { deviceCode, outcome: { kind: "refused", error } as PollOutcome };
});

/**
 * Answers a poll with a sandbox `device_code`: the refusal that the code names, or an activation if the code is a
 * sandbox licence code. Returns null for any other code; codes issued by `device-authorization` are never sandbox
 * codes.
 * @throws AppError as `answerSandbox` does.
 */
export async function answerSandboxPoll(
  context: Context,
  values: PollDeviceAuthorizationValues,
): Promise<PollOutcome | null> {
  const named = refusals.find(({ deviceCode }) => deviceCode === values.device_code);
  if (named) return named.outcome;
  if (!isSandboxCode(values.device_code)) return null;
  const licenceCode = normaliseLicenceCode(values.device_code);
  if (!isWellFormedLicenceCode(licenceCode)) return null;
  const answer = await answerSandbox(context, "activate", { ...values, licenceCode });
  return { kind: "answer", answer: answer.code === "VALID" ? { ...answer, licenceCode } : answer };
}
