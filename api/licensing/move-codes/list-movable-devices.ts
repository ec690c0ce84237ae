import type { MoveDevicesValues } from "#schema/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { badInput } from "#api/platform/errors.ts";
import { loadDeactivationAllowance } from "#api/licensing/devices/deactivation-allowance.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import type { LicenceAnswer } from "#api/licensing/licences/licence-answer.ts";
import { MoveCode } from "./move-code.entity.ts";
import { handleMoveCall } from "./handle-move-call.ts";
import { hashMoveCode } from "./send-move-code.ts";

/** Number of wrong attempts after which a code no longer works. */
const MAX_WRONG_ATTEMPTS = 5;

/**
 * Lists a licence's devices for a machine that submits the code emailed to the licence's owner. A call to `activate`
 * can then replace one of them. The code works until it expires, so a lost response can be retried.
 * @throws AppError BAD_USER_INPUT for a mistyped licence code and for a wrong, expired or blocked email code;
 * RATE_LIMITED after many unknown licence codes.
 */
export async function listMovableDevices(context: Context, values: MoveDevicesValues): Promise<LicenceAnswer> {
  const answer = await handleMoveCall(context, values, async (em, { licenceId, userId }) => {
    if (!(await verifyMoveCode(context, em, licenceId, values))) return null;
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
      deactivationsRemaining: (await loadDeactivationAllowance({ ...context, em }, userId)).remaining,
    };
  });
  // Throw after the commit, so that the wrong attempt is counted.
  if (!answer)
    throw badInput({ emailCode: ["This code is not right, or it has lapsed. Please check it or ask for a new one."] });
  return answer;
}

/** Returns whether the code was emailed for this machine and counts a wrong attempt. The licence must be locked. */
async function verifyMoveCode(
  context: Context,
  em: EntityManager,
  licenceId: string,
  { machine, emailCode }: MoveDevicesValues,
): Promise<boolean> {
  const { fingerprint } = machine;
  const moveCode = await em.findOne(MoveCode, { licence: licenceId, fingerprint });
  if (!moveCode || moveCode.expiresAt <= context.clock.now() || moveCode.attempts >= MAX_WRONG_ATTEMPTS) return false;
  const typed = emailCode.replace(/[\s\p{Pd}\p{Cf}]/gu, "");
  if (moveCode.codeHash === hashMoveCode(context, { licenceId, fingerprint }, typed)) return true;
  moveCode.attempts++;
  return false;
}
