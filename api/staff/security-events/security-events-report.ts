import type { InferType } from "yup";
import { type securityEventReportRules, securityEventTypes } from "#schema/security-event.ts";
import { actorNameSql } from "#api/audit/change-log/record-change.ts";
import { flushSecurityEvents } from "#api/audit/security-events/record-security-event.ts";
import type { Context } from "#api/platform/context.ts";
import { createDateColumn, createLabelColumn, type Report, toParameterSql } from "#api/staff/reports/report.ts";
import { buildFilterConditions } from "./list-security-events.ts";

/** Builds the report of the security events that match a filter, newest first. */
export async function buildSecurityEventsReport(
  context: Context,
  { types, ...criteria }: Omit<InferType<typeof securityEventReportRules>, "format">,
): Promise<Report> {
  await flushSecurityEvents(context);
  const conditions = await buildFilterConditions(context, criteria, toParameterSql);
  if (types.length > 0) conditions.push(`type = any(${toParameterSql(types)}::text[])`);
  return {
    fileName: "security-events",
    sheetName: "Security Events",
    columns: [
      createDateColumn("Time", "e.at"),
      createLabelColumn("Event", securityEventTypes, "e.type", 32),
      { title: "Type", kind: "text", sql: "e.type", isTrusted: true, width: 22 },
      { title: "User", kind: "text", sql: actorNameSql("u"), width: 36 },
      { title: "By", kind: "text", sql: actorNameSql("a"), width: 36 },
      { title: "IP Address", kind: "text", sql: "e.address", width: 18 },
      { title: "Count", kind: "number", sql: "e.count" },
      { title: "Details", kind: "text", sql: "e.detail::text", width: 60 },
      { title: "Request", kind: "text", sql: "e.request_id", width: 38 },
    ],
    from: `from (select * from security_events ${conditions.length > 0 ? `where ${conditions.join(" and ")}` : ""}
                  order by at desc, id desc) e
           left join users u on u.id = e.user_id left join users a on a.id = e.actor_id
           order by e.at desc, e.id desc`,
  };
}
