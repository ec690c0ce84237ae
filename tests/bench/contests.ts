import { validateRules } from "#schema/rules/protocol.ts";
import { validationRow, validationStatement } from "#api/features/licences/validate-licence.ts";
import { asker, type Contest, question } from "./contest.ts";
import type { AskingDevice } from "./population.ts";

const validationBody = (device: AskingDevice) => ({ ...question(device), machineToken: device.machineToken });

/** 'May I run?', once a day from every machine (QUALITY V1 to V3). */
export const validation: Contest = {
  name: "licence/validate",
  path: "/v1/licence/validate",
  kind: "validate",
  statement: validationStatement.text,
  suits: () => true,
  body: validationBody,
  row: (device) => validationRow(asker, validateRules.cast(validationBody(device)) as never),
};

/**
 * 'My seat is in use', every few minutes from every concurrent machine. Null until the product has the call; then it
 * is like {@link validation} with
 * - `suits: ({ n }) => n % 2 === 0`, for every other licence of the seed is concurrent,
 * - `body`: the question with the machine token and the lease, `idOf("lease", n)` or the session `session-${n}`,
 * - `statement` and `row`: those of the heartbeat.
 */
export const heartbeat: Contest | null = null;
