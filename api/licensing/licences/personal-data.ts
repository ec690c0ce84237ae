import { productLevels } from "#schema/catalogue.ts";
import { findLabel } from "#schema/closed-list.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { eraseDetachedEvents, eraseLateEvents, eraseLicenceEvents } from "./erase-licence-events.ts";
import { LicenceEvent } from "./licence-event.entity.ts";
import { getLicenceStatus } from "./licence-status.ts";
import { Licence } from "./licence.entity.ts";
import { revokeLicences } from "./revoke-licences.ts";
import {
  keepReasons,
  MAX_EXPORTED_ROWS,
  createBatchStatement,
  type PersonalData,
} from "#api/platform/database/personal-data.ts";

export const licenceData: PersonalData = {
  tables: {
    detached_event_months: { impersonal: "name starts_at ends_at detached_at dropped_at" },
    licence_events: {
      erased: { "licence-events": "machine_name os_user ip", "detached-licence-events": "" },
      impersonal: "id at last_at count kind result_code licence_id device_id add_in_version host_version",
    },
    licences: {
      erased: { licences: "revoked_at", "project-terms": "project_term" },
      kept: {
        "Needed to reject the licence code.": "licence_code support_code",
        [keepReasons.books]: "user_id purchase_order_number",
      },
      impersonal:
        "id product_level licence_type licence_category licence_activation_type number_of_users number_of_machines limit_floating_lease_period_to_hours floating_heart_beat_interval_minutes allow_on_vms expires_at created_at suspended_at usage_limit usage_count",
    },
  },
  erasure: [
    { name: "licences", title: "Licences ended", effect: "anonymized", table: "licences", run: revokeLicences },
    {
      name: "project-terms",
      title: "Project terms of licences",
      effect: "anonymized",
      table: "licences",
      run: createBatchStatement(
        `update licences set project_term = null where id in (
           select id from licences where user_id = :user and project_term is not null order by id limit :limit for update)`,
      ),
    },
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
      where: "user_id = $1",
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
          .map(({ machineName, osUser, isVm, activatedAt, lastSeenAt, freedAt: deactivatedAt }) => ({
            machineName,
            osUser,
            isVm,
            activatedAt,
            lastSeenAt,
            deactivatedAt,
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
      return events.map(
        ({ at, lastAt, count, kind, resultCode, licenceId, machineName, osUser, addInVersion, hostVersion, ip }) => ({
          at,
          lastAt,
          count,
          kind,
          resultCode,
          licenceId,
          machineName,
          osUser,
          addInVersion,
          hostVersion,
          ip,
        }),
      );
    },
  },
};
