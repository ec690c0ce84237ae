import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { eraseDetachedEvents, eraseLateEvents, eraseLicenceEvents } from "./erase-licence-events.ts";
import { LicenceEvent } from "./licence-event.entity.ts";
import { getLicenceStatus } from "./licence-status.ts";
import { Licence } from "./licence.entity.ts";
import { revokeLicences } from "./revoke-licences.ts";
import { MAX_EXPORTED_ROWS, createAnonymizePart, type PersonalData } from "#api/platform/database/personal-data.ts";
import { pick } from "#api/platform/pick.ts";

export const licenceData: PersonalData = {
  tables: { licence_events: { erasedBy: "licence-events" } },
  erasure: [
    { name: "licences", title: "Licences ended", effect: "anonymized", table: "licences", run: revokeLicences },
    createAnonymizePart(
      "project-terms",
      "Project terms of licences",
      "licences",
      `update licences set project_term = null where id in (
         select id from licences where user_id = :user and project_term is not null order by id limit :limit for update)`,
    ),
    {
      name: "licence-events",
      title: "Licence events",
      effect: "anonymized",
      table: "licence_events",
      run: eraseLicenceEvents,
    },
    {
      name: "detached-licence-events",
      title: "Licence events of months that are about to be dropped",
      effect: "anonymized",
      table: "licence_events",
      run: eraseDetachedEvents,
    },
    {
      name: "late-licence-events",
      title: "Licence events written while the account was being closed",
      effect: "anonymized",
      table: "licence_events",
      runsLast: true,
      run: eraseLateEvents,
    },
  ],
  kept: [
    {
      title: "Licences",
      table: "licences",
      reason: "Invoices refer to them, and ended licences must still be refused. They contain no names.",
    },
  ],
  exported: {
    async licences({ em, clock }, user) {
      const licences = await em.find(Licence, { user: user.id }, { orderBy: { createdAt: "desc" } });
      const devices = await em.find(Device, { licence: { user: user.id } }, { orderBy: { activatedAt: "desc" } });
      return licences.map((licence) => ({
        id: licence.id,
        licenceCode: licence.licenceCode,
        supportCode: licence.supportCode,
        productLevel: findLabel(productLevels, licence.productLevel),
        status: getLicenceStatus(licence, clock.now()),
        createdAt: licence.createdAt,
        expiresAt: licence.expiresAt,
        purchaseOrderNumber: licence.purchaseOrderNumber,
        projectTerm: licence.projectTerm,
        devices: devices
          .filter((device) => device.licence.id === licence.id)
          .map((device) => ({
            ...pick(device, "machineName", "osUser", "isVm", "activatedAt", "lastSeenAt"),
            deactivatedAt: device.freedAt,
          })),
      }));
    },
    async licenceEvents({ em }, user) {
      const licences = await em.find(Licence, { user: user.id }, { fields: ["id"] });
      const events = await em.find(
        LicenceEvent,
        { licenceId: { $in: licences.map(({ id }) => id) } },
        { orderBy: { at: "desc", id: "desc" }, limit: MAX_EXPORTED_ROWS },
      );
      return events.map((event) => ({
        ...pick(event, "at", "lastAt", "count", "kind", "resultCode", "licenceId"),
        ...pick(event, "machineName", "osUser", "addInVersion", "hostVersion"),
        // Only requests of devices have a version. The address of a change in the portal may be that of staff.
        ip: event.addInVersion === null ? null : event.ip,
      }));
    },
  },
};
