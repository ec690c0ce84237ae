import type { MoveDevicesValues } from "#schema/rules/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { badInput } from "#api/platform/errors.ts";
import { deactivationAllowanceOf } from "#api/licensing/devices/deactivation-allowance.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import type { LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import { MoveCode } from "./move-code.entity.ts";
import { answerMove } from "./move-standing.ts";
import { hashMoveCode } from "./send-move-code.ts";

/** Wrong answers after which a code is worth nothing. */
const MOST_WRONG_ANSWERS = 5;

/**
 * The devices of a licence, for a machine whose person read the code mailed to the owner. The code stays good until it
 * lapses, so that a lost answer can be asked for again; what it shows is then swapped by `activate`.
 * @throws AppError BAD_USER_INPUT for a mistyped licence code, and alike for a wrong, lapsed or used-up email code;
 * RATE_LIMITED for many unknown licence codes.
 */
export async function listMovableDevices(context: Context, asked: MoveDevicesValues): Promise<LicenceAnswer> {
  const answer = await answerMove(context, asked, async (em, { licenceId, userId }) => {
    if (!(await isMoveCode(context, em, licenceId, asked))) return null;
    const devices = await em.find(
      Device,
      { licence: licenceId, freedAt: null },
      { orderBy: { activatedAt: "asc", id: "asc" } },
    );
    return {
      code: "VALID",
      message: "These devices are activated on the licence.",
      machines: devices.map(({ id, machineName, lastSeenAt, activatedAt }) => ({
        deviceId: id,
        machineName,
        lastSeenAt,
        activatedAt,
      })),
      deactivationsRemaining: (await deactivationAllowanceOf({ ...context, em }, userId)).remaining,
    };
  });
  // Thrown after the commit: the wrong answer counts.
  if (!answer)
    throw badInput({ emailCode: ["This code is not right, or it has lapsed. Please check it or ask for a new one."] });
  return answer;
}

/** Whether the code is the one mailed for this machine. Under the licence's lock, so that guesses take turns. */
async function isMoveCode(
  context: Context,
  em: EntityManager,
  licenceId: string,
  { machine, emailCode }: MoveDevicesValues,
): Promise<boolean> {
  const { fingerprint } = machine;
  const mailed = await em.findOne(MoveCode, { licence: licenceId, fingerprint });
  if (!mailed || mailed.expiresAt <= context.clock.now() || mailed.attempts >= MOST_WRONG_ANSWERS) return false;
  const typed = emailCode.replace(/[\s\p{Pd}\p{Cf}]/gu, "");
  if (mailed.codeHash === hashMoveCode(context, { licenceId, fingerprint }, typed)) return true;
  mailed.attempts++;
  return false;
}
