import { DAY } from "#api/platform/clock.ts";
import { DeviceAuthorization } from "./device-authorization.entity.ts";
import { createDeletePart, exportRows, type PersonalData } from "#api/platform/database/personal-data.ts";

export const deviceAuthorizationData: PersonalData = {
  retention: [{ table: "device_authorizations", endedAt: "expires_at", keptMs: DAY }],
  erasure: [
    createDeletePart("device-authorizations", "Device authorizations", "device_authorizations", {
      where: "user_id = :user or licence_id in (select id from licences where user_id = :user)",
      alsoKept: "Undecided requests expire within minutes.",
    }),
  ],
  exported: {
    deviceAuthorizations: exportRows(DeviceAuthorization, { orderBy: { requestedAt: "desc" } }, [
      "machineName",
      "osUser",
      "addInVersion",
      "ip",
      "requestedAt",
      "decision",
      "decidedAt",
      "resultCode",
    ]),
  },
};
