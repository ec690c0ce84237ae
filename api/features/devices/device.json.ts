import type { Device } from "./device.entity.ts";

/**
 * A device as `/v1` lists it. `tempId` is the id under the name that older clients send back when they
 * deactivate (DOMAIN §4); dates are ISO 8601 UTC.
 */
export function deviceJson(device: Device) {
  return {
    id: device.id,
    tempId: device.id,
    machineName: device.machineName,
    lastSeenDateTimeUtc: device.lastSeenAt.toISOString(),
    activatedDateTimeUtc: device.activatedAt.toISOString(),
  };
}
