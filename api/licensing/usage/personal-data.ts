import { UsageEvent } from "./usage-event.entity.ts";
import { MAX_EXPORTED_ROWS, type PersonalData } from "#api/platform/database/personal-data.ts";

export const usageData: PersonalData = {
  exported: {
    async conversions({ em }, user) {
      const events = await em.find(
        UsageEvent,
        { licence: { user: user.id } },
        { orderBy: { at: "desc" }, populate: ["device"], limit: MAX_EXPORTED_ROWS },
      );
      return events.map(({ device, at, recordedAt }) => ({ machineName: device.machineName, at, recordedAt }));
    },
  },
};
