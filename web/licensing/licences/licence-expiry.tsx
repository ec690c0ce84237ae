import { Badge, Group, type MantineColor } from "@mantine/core";
import { brand } from "#schema/brand.ts";
import { formatDate, formatDateTime, formatExpiryDate, formatSellerDate, isLastDay } from "#schema/dates.ts";
import type { LicenceRenewal, LicenceStatus } from "#web/generated/graphql.ts";
import { Moment } from "#web/ui/moment.tsx";
import { paths, userTabHref } from "#web/platform/paths.ts";

/** Returns the link back to a user's licences for an admin, or to the admin area until the user is known. */
export function getLicencesLink(userId: string | undefined): { to: string; label: string } {
  if (userId === undefined) return { to: paths.admin.href(), label: "Admin" };
  return { to: userTabHref(userId, "licences"), label: "Licences" };
}

const badges: Record<Exclude<LicenceStatus, "ACTIVE">, { label: string; color: MantineColor }> = {
  EXPIRED: { label: "Expired", color: "marigold" },
  SUSPENDED: { label: "Suspended", color: "red" },
  REVOKED: { label: "Deactivated", color: "red" },
};

/** Shows why a licence can't be used; shows nothing for an active licence. */
export function LicenceStatusBadge({ status }: { status: LicenceStatus }) {
  if (status === "ACTIVE") return null;
  const { label, color } = badges[status];
  return <Badge color={color}>{label}</Badge>;
}

interface Period {
  /** ISO 8601. Excludes the grace period after a paid period. */
  readonly periodEndsAt: string;
  readonly renewal: LicenceRenewal;
}

interface PeriodOfLicence extends Period {
  readonly status: LicenceStatus;
}

const marks: Record<Exclude<LicenceRenewal, "NONE">, { label: string; color: MantineColor }> = {
  RENEWS: { label: "Renews", color: "spruce" },
  ENDS: { label: "Ends", color: "gray" },
  PAYMENT_DUE: { label: "Payment due", color: "red" },
  PAUSED: { label: "Paused until", color: "marigold" },
};

/** Returns the time zone for a licence's end date: the vendor's if a payment is due then, otherwise the reader's. */
function getTimeZone({ renewal }: Period): string | undefined {
  return renewal === "NONE" ? undefined : brand.timeZone;
}

/** Returns the date a licence renews or ends, for the Expiry Date column: `23 September, 2027`. */
export function formatPeriodEnd(licence: Period): string {
  return formatExpiryDate(licence.periodEndsAt, getTimeZone(licence));
}

/** Cell of the Expiry Date column: the date, and what happens then or why the licence can't be used. */
export function ExpiryDate({ licence }: { licence: PeriodOfLicence }) {
  const mark = licence.renewal === "NONE" ? null : marks[licence.renewal];
  return (
    <Group component="span" display="inline-flex" gap="0.25rem 0.625rem">
      <Moment at={licence.periodEndsAt} as={() => formatPeriodEnd(licence)} />
      {mark && (licence.status === "ACTIVE" || licence.renewal === "PAUSED") ? (
        <Badge color={mark.color}>{mark.label}</Badge>
      ) : (
        <LicenceStatusBadge status={licence.status} />
      )}
    </Group>
  );
}

/** Returns a label for the end of a licence's period, and how to format it. */
export function describePeriodEnd({ periodEndsAt, renewal, status }: PeriodOfLicence): {
  label: string;
  format: (moment: string) => string;
} {
  if (renewal !== "NONE" && status !== "EXPIRED") return { label: marks[renewal].label, format: formatSellerDate };
  const format = isLastDay(periodEndsAt) ? formatDate : formatDateTime;
  return { label: status === "EXPIRED" ? "Expired" : "Expires", format };
}
