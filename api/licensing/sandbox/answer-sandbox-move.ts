import { sandboxEmailCode } from "#schema/sandbox-codes.ts";
import type { AddinValues } from "#schema/protocol.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import type { Context } from "#api/platform/context.ts";
import { badInput } from "#api/platform/errors.ts";
import type { LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import { answerSandbox } from "./answer-sandbox.ts";
import { deriveSandboxId } from "./sandbox-tokens.ts";

const DEACTIVATIONS_REMAINING = 2;

/**
 * Answers both calls that move a licence, for a sandbox code. It sends no email and always accepts the same code.
 * @throws AppError BAD_USER_INPUT for a wrong move code, and as `answerSandbox` does.
 */
export async function answerSandboxMove(
  context: Context,
  asked: AddinValues & { readonly emailCode?: string },
): Promise<LicenceAnswer> {
  const answer = await answerSandbox(context, "move", asked);
  if (answer.code !== "VALID") return answer;
  if (asked.emailCode === undefined)
    return { ...answer, message: `No mail is sent for a sandbox code. The code is ${sandboxEmailCode}.` };
  if (stripSeparators(asked.emailCode) !== stripSeparators(sandboxEmailCode))
    throw badInput({ emailCode: ["This code is not right, or it has lapsed. Please check it or ask for a new one."] });
  const now = context.clock.now();
  return {
    ...answer,
    message: "These devices are activated on the licence.",
    machines: ["SANDBOX-01", "SANDBOX-02"].map((machineName, index) => ({
      deviceId: deriveSandboxId("device", machineName),
      machineName,
      lastSeenAt: addMilliseconds(now, -(index + 1) * DAY),
      activatedAt: addMilliseconds(now, -30 * DAY),
    })),
    deactivationsRemaining: DEACTIVATIONS_REMAINING,
  };
}

function stripSeparators(typed: string): string {
  return typed.replace(/[\s\p{Pd}\p{Cf}]/gu, "");
}
