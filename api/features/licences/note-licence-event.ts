import type { MachineQuestion } from "#schema/rules/protocol.ts";
import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { LicenceEvent, type LicenceEventKind } from "./licence-event.entity.ts";

/** Adds a row to the history of a licence. Belongs to the unit of work of `em`; written when that is flushed. */
export function noteLicenceEvent(
  context: Context,
  em: EntityManager,
  event: {
    kind: LicenceEventKind;
    resultCode: number;
    licenceId: string | null;
    deviceId?: string | null;
    machineName?: string;
    /** What the add-in sent, when it was the add-in that asked. */
    asked?: MachineQuestion;
  },
): void {
  const { asked } = event;
  em.create(LicenceEvent, {
    at: context.clock.now(),
    kind: event.kind,
    resultCode: event.resultCode,
    licenceId: event.licenceId,
    deviceId: event.deviceId ?? null,
    machineName: asked?.machine.machineName ?? event.machineName ?? null,
    osUser: asked?.machine.osUser ?? null,
    addInVersion: asked?.addInVersion ?? null,
    hostVersion: asked?.hostVersion ?? null,
    ip: context.origin.ip,
  });
}
