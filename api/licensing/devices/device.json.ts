import type { Static } from "typebox";
import { id, moment, named, text, textOf } from "#api/platform/json-shapes.ts";
import type { Device } from "./device.entity.ts";

/** A device in the lists of `/v1`. */
export const deviceShape = named("Device", {
  id,
  tempId: textOf("The id again, under the name by which older clients deactivate"),
  machineName: text,
  lastSeenDateTimeUtc: moment,
  activatedDateTimeUtc: moment,
});

/**
 * A device as `/v1` lists it. `tempId` is the id under the name that older clients send back when they
 * deactivate (docs/domain.md#deactivations); dates are ISO 8601 UTC.
 */
export function deviceJson(device: Device): Static<typeof deviceShape> {
  return {
    id: device.id,
    tempId: device.id,
    machineName: device.machineName,
    lastSeenDateTimeUtc: device.lastSeenAt.toISOString(),
    activatedDateTimeUtc: device.activatedAt.toISOString(),
  };
}
