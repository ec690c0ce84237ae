import { ERASED, type ErasurePart, statement } from "./erasure-part.ts";
import { eraseDetachedEvents, eraseLicenceEvents } from "./licence-events-part.ts";
import { revokeLicences } from "./revoke-licences.ts";

const ownLicences = "select id from licences where user_id = :user";

/** Licences and the machines that use them. The account is closed by then, so no machine adds anything personal. */
export const licenceParts: readonly ErasurePart[] = [
  { name: "licences", title: "Licences ended", effect: "anonymized", table: "licences", run: revokeLicences },
  {
    name: "project-terms",
    title: "Project terms of licences",
    effect: "anonymized",
    table: "licences",
    run: statement(
      `update licences set project_term = null where id in (
         select id from licences where user_id = :user and project_term is not null order by id limit :limit for update)`,
    ),
  },
  {
    // Seats before devices, in the order in which heartbeats lock them.
    name: "seats",
    title: "Seats",
    effect: "anonymized",
    table: "leases",
    run: statement(
      `update leases set os_user = null, ended_at = coalesce(ended_at, :requestedAt),
              ended_by = coalesce(ended_by, 'device-freed')
        where id in (
          select s.id from leases s join licences l on l.id = s.licence_id
           where l.user_id = :user and (s.os_user is not null or s.ended_at is null)
           order by s.id limit :limit for update of s)`,
    ),
  },
  {
    name: "devices",
    title: "Devices",
    effect: "anonymized",
    table: "devices",
    run: statement(
      `update devices set machine_name = '${ERASED}', fingerprint = 'erased', components = '{}', os_user = null,
              offline_until = null, freed_at = coalesce(freed_at, :requestedAt)
        where id in (
          select d.id from devices d join licences l on l.id = d.licence_id
           where l.user_id = :user
             and (d.machine_name <> '${ERASED}' or d.fingerprint <> 'erased' or d.components <> '{}' or d.freed_at is null
                  or d.os_user is not null)
           order by d.id limit :limit for update of d)`,
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
    name: "deactivations",
    title: "Reasons of device deactivations",
    effect: "anonymized",
    table: "deactivations",
    run: statement(
      `update deactivations set reason = '' where id in (
         select id from deactivations where user_id = :user and reason <> '' limit :limit)`,
    ),
  },
  {
    name: "move-codes",
    title: "Move codes",
    effect: "deleted",
    table: "move_codes",
    run: statement(`delete from move_codes where id in (
      select id from move_codes where licence_id in (${ownLicences}) limit :limit)`),
  },
  {
    name: "device-authorizations",
    title: "Sign-ins from devices",
    effect: "deleted",
    table: "device_authorizations",
    run: statement(`delete from device_authorizations where id in (
      select id from device_authorizations where user_id = :user or licence_id in (${ownLicences}) limit :limit)`),
  },
];
