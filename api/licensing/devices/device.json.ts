import type { Static } from "typebox";
import { id, moment, namedObject, text, describedText } from "#api/platform/http/json-types.ts";
import type { Device } from "./device.entity.ts";

/** Shape of a device in the lists of `/v1`. */
export const deviceShape = namedObject("Device", {
  id,
  tempId: describedText("Same value as `id`. Older clients send it when they deactivate the device"),
  machineName: text,
  lastSeenDateTimeUtc: moment,
  activatedDateTimeUtc: moment,
});

/**
 * Converts a device to its `/v1` JSON. `tempId` repeats the id for older clients, which send it when they deactivate the
 * device (docs/domain.md#deactivations). Dates are ISO 8601 in UTC.
 */
export function toDeviceJson(device: Device): Static<typeof deviceShape> {
  return {
    id: device.id,
    tempId: device.id,
    machineName: device.machineName,
    lastSeenDateTimeUtc: device.lastSeenAt.toISOString(),
    activatedDateTimeUtc: device.activatedAt.toISOString(),
  };
}
