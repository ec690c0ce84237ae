import { type InferType, object } from "yup";
import { findLabel, type ListEntry } from "./closed-list.ts";
import { contactFields } from "./contact.ts";
import { type Field, type Fields, getStoredProperties } from "./field.ts";
import { licenceFields } from "./licence.ts";
import { endAfterFrom, optionalEnd, optionalMoment } from "./moment.ts";
import { promoCodeFields } from "./promo-code.ts";
import { savedReportFields } from "./saved-report.ts";
import { softwareStages } from "./software.ts";
import { line } from "./text.ts";
import { userFields } from "./user.ts";
import { webhookEndpointFields } from "./webhook-endpoint.ts";

export const entityFields = {
  contact: contactFields,
  licence: licenceFields,
  "promo-code": promoCodeFields,
  "saved-report": savedReportFields,
  user: userFields,
  "webhook-endpoint": webhookEndpointFields,
} satisfies Readonly<Record<string, Fields>>;

/** Labels of fields that can't be derived from their name. */
const specialLabels: Readonly<Record<string, string>> = { archivedAt: "Archived", sha256: "SHA-256" };

const numberedLists: Readonly<Record<string, readonly ListEntry[]>> = { stage: softwareStages };

// Entities that share a property name use the same label for it.
const declared = new Map(
  Object.values(entityFields).flatMap((fields) =>
    Object.entries<Field>(fields).flatMap(([name, field]) =>
      Object.entries(getStoredProperties(name, field)).map(
        ([property, label]) => [property, { label, list: field.list }] as const,
      ),
    ),
  ),
);

const moment = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z)?$/;

/** Returns the label of an audited field: `minimumVersion` → `Minimum version`. */
export function labelAuditedField(field: string): string {
  const words = field
    .replace(/[-_]/g, " ")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return declared.get(field)?.label ?? specialLabels[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Formats an audited value: labels for catalogue numbers, Yes or No, dates as DD/MM/YYYY (times in UTC), and lists
 * separated by commas. Returns null for an empty value.
 */
export function formatAuditedValue(field: string, value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (Array.isArray(value)) return value.length > 0 ? value.map(String).join(", ") : null;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const list = declared.get(field)?.list ?? numberedLists[field];
  if (list && (typeof value === "number" || typeof value === "string")) return findLabel(list, value);
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value as string | number);
  const [, year, month, day, time] = moment.exec(text) ?? [];
  return year ? `${day}/${month}/${year}${time ? ` ${time} UTC` : ""}` : text;
}

/** Rules for the filter of the audit log. */
export const auditFilterRules = object({
  actorId: line(50),
  action: line(50),
  bulkRunId: line(50),
  from: optionalMoment(),
  to: optionalEnd(),
  search: line(200),
});
export type AuditFilterValues = InferType<typeof auditFilterRules>;

/** Rules for the filter panel of the audit log. */
export const auditFilterFormRules = auditFilterRules.shape({ to: endAfterFrom() });
