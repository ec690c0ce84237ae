import { normaliseMachineName } from "#schema/machine-name.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { BlockedMachine } from "./device.entity.ts";

/**
 * Replaces the list of machine names that are blocked for a user. Names that remain keep their date. Names are compared
 * without regard to case. Runs in the transaction of `em`, which must have locked the user's row.
 * @returns the sorted names before and after the change.
 */
export async function setBlockedMachines(
  context: Context,
  em: EntityManager,
  user: User,
  machineNames: readonly string[],
): Promise<{ before: string[]; after: string[] }> {
  const known = await em.find(BlockedMachine, { user: user.id });
  const wanted = new Map(machineNames.map((name) => [normaliseMachineName(name), name]));
  const kept = known.filter((machine) => wanted.has(machine.comparedName));
  const removed = known.filter((machine) => !wanted.has(machine.comparedName));
  for (const { comparedName } of kept) wanted.delete(comparedName);

  if (removed.length > 0) await em.nativeDelete(BlockedMachine, { id: removed.map(({ id }) => id) });
  for (const [comparedName, machineName] of wanted)
    em.create(BlockedMachine, { user, machineName, comparedName, blockedAt: context.clock.now() });
  const sorted = (names: readonly string[]) => names.toSorted((one, other) => one.localeCompare(other));
  return {
    before: sorted(known.map(({ machineName }) => machineName)),
    after: sorted([...kept.map(({ machineName }) => machineName), ...wanted.values()]),
  };
}
