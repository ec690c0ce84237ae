import { brand } from "#schema/brand.ts";
import { formatDate, formatDateTime, formatExpiryDate, isLastDay } from "#schema/dates.ts";
import type { LicenceRenewal, LicenceStatus } from "#web/generated/graphql.ts";
import { Badge, type BadgeTone } from "#web/ui/badge.tsx";
import classes from "./licence-expiry.module.css";

const badges: Record<Exclude<LicenceStatus, "ACTIVE">, { label: string; tone: BadgeTone }> = {
  EXPIRED: { label: "Expired", tone: "notice" },
  SUSPENDED: { label: "Suspended", tone: "critical" },
  REVOKED: { label: "Deactivated", tone: "critical" },
};

/** Says why a licence is of no use now; nothing for one that is. */
export function LicenceStatusBadge({ status }: { status: LicenceStatus }) {
  if (status === "ACTIVE") return null;
  const { label, tone } = badges[status];
  return <Badge tone={tone}>{label}</Badge>;
}

interface Period {
  /** ISO 8601; never with the days of grace after a paid period. */
  readonly periodEndsAt: string;
  readonly renewal: LicenceRenewal;
}

interface PeriodOfLicence extends Period {
  readonly status: LicenceStatus;
}

const marks: Record<Exclude<LicenceRenewal, "NONE">, { label: string; tone: BadgeTone }> = {
  RENEWS: { label: "Renews", tone: "calm" },
  ENDS: { label: "Ends", tone: "quiet" },
  PAYMENT_DUE: { label: "Payment due", tone: "critical" },
};

/** Returns the time zone of a licence's end: the vendor's for payments, the reader's for everything else. */
function zoneOf({ renewal }: Period): string | undefined {
  return renewal === "NONE" ? undefined : brand.timeZone;
}

/** Returns when a licence renews or ends, for the Expiry Date column: `23 September, 2027`. */
export function expiryDateOf(licence: Period): string {
  return formatExpiryDate(licence.periodEndsAt, zoneOf(licence));
}

/** The cell of the Expiry Date column: the date, and what happens then or why the licence can't be used. */
export function ExpiryDate({ licence }: { licence: PeriodOfLicence }) {
  const mark = licence.renewal === "NONE" ? null : marks[licence.renewal];
  return (
    <span className={classes.expiry}>
      {expiryDateOf(licence)}
      {licence.status === "ACTIVE" && mark ? (
        <Badge tone={mark.tone}>{mark.label}</Badge>
      ) : (
        <LicenceStatusBadge status={licence.status} />
      )}
    </span>
  );
}

/** Returns what happens at the end of a licence's period, and when, as a label and its value. */
export function endOfPeriod(licence: PeriodOfLicence): { label: string; date: string } {
  const { periodEndsAt, renewal, status } = licence;
  if (renewal !== "NONE" && status !== "EXPIRED")
    return { label: marks[renewal].label, date: formatDate(periodEndsAt, brand.timeZone) };
  const date = isLastDay(periodEndsAt) ? formatDate(periodEndsAt) : formatDateTime(periodEndsAt);
  return { label: status === "EXPIRED" ? "Expired" : "Expires", date };
}
