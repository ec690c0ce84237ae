import { DAY } from "#api/platform/clock.ts";
import { DeviceAuthorization } from "./device-authorization.entity.ts";
import { MAX_EXPORTED_ROWS, createBatchStatement, type PersonalData } from "#api/platform/database/personal-data.ts";

const ownLicences = "select id from licences where user_id = :user";

export const deviceAuthorizationData: PersonalData = {
  tables: {
    device_authorizations: {
      deleted: "device-authorizations",
      alsoKept: "Undecided requests expire within minutes.",
    },
  },
  retention: [{ table: "device_authorizations", endedAt: "expires_at", keptMs: DAY }],
  erasure: [
    {
      name: "device-authorizations",
      title: "Device authorizations",
      effect: "deleted",
      table: "device_authorizations",
      run: createBatchStatement(`delete from device_authorizations where id in (
        select id from device_authorizations where user_id = :user or licence_id in (${ownLicences}) limit :limit)`),
    },
  ],
  exported: {
    async deviceAuthorizations({ em }, user) {
      const authorizations = await em.find(
        DeviceAuthorization,
        { user: user.id },
        { orderBy: { requestedAt: "desc" }, limit: MAX_EXPORTED_ROWS },
      );
      return authorizations.map(
        ({ machineName, osUser, addInVersion, ip, requestedAt, decision, decidedAt, resultCode }) => ({
          machineName,
          osUser,
          addInVersion,
          ip,
          requestedAt,
          decision,
          decidedAt,
          resultCode,
        }),
      );
    },
  },
};
