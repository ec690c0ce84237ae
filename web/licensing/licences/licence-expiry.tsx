import { Badge, Group, type MantineColor } from "@mantine/core";
import { brand } from "#schema/brand.ts";
import { formatDateTime, formatExpiryDate, formatSellerDate } from "#schema/dates.ts";
import type { NextStepPlace } from "#schema/licence-history.ts";
import { licenceStatusLabels } from "#schema/licence-types.ts";
import { formatCount, formatNumber } from "#schema/numbers.ts";
import type { LicenceRenewal, LicenceStatus } from "#web/generated/graphql.ts";
import { Moment } from "#web/ui/moment.tsx";
import { getHome } from "#web/platform/landing.ts";
import { paths, userTabHref } from "#web/platform/paths.ts";
import type { Role } from "#web/platform/session.ts";
import type { Column } from "#web/ui/table/data-table.tsx";

/** Returns the link back from a page of a licence: for an admin, to the owner's licences as soon as the owner is known. */
export function getLicencesLink(role: Role | undefined, userId?: string): { to: string; label: string } {
  const home = getHome(role);
  if (role !== "admin" || userId === undefined) return { to: home.href(), label: home.title };
  return { to: userTabHref(userId, "licences"), label: "Licences" };
}

/**
 * Returns the page where a reader can do the next step after a refusal, or null if it isn't in the portal.
 * @param licence only admins get its owner
 */
export function getStepLink(
  place: NextStepPlace,
  licence: { readonly id: string; readonly owner?: { readonly id: string } },
  reader: Role | undefined,
): { to: string; label: string } | null {
  if (place === "devices")
    return {
      to: paths.activatedDevices.href({ licenceId: licence.id, userId: licence.owner?.id ?? "account" }),
      label: "Manage Activated Devices",
    };
  if (reader === "admin") return null;
  // Only regular customers can subscribe online. Others contact us (docs/domain.md#member-types).
  if (place === "subscribe" && reader === "regular") return { to: paths.manageSubscription.href(), label: "Billing" };
  return { to: paths.contactUs.href(), label: "Contact" };
}

const statusColors: Record<LicenceStatus, MantineColor> = {
  ACTIVE: "spruce",
  EXPIRED: "marigold",
  SUSPENDED: "red",
  REVOKED: "red",
};

export function LicenceStatusBadge({ status }: { status: LicenceStatus }) {
  return (
    <Badge flex="none" color={statusColors[status]}>
      {licenceStatusLabels[status]}
    </Badge>
  );
}

/** Formats how many devices of a licence are in use, such as `1 of 3 devices in use`. */
export function formatDevicesInUse(used: number, numberOfMachines: number): string {
  return `${formatNumber(used)} of ${formatCount(numberOfMachines, "device")} in use`;
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

/**
 * Returns the date a licence renews or ends, for the Expiry Date column: `23 September, 2027`. In the vendor's time zone if a
 * payment is due then, otherwise in the reader's.
 */
function formatPeriodEnd({ periodEndsAt, renewal }: Period): string {
  return formatExpiryDate(periodEndsAt, renewal === "NONE" ? undefined : brand.timeZone);
}

/** Cell of the Expiry Date column: the date, and what happens then or why the licence can't be used. */
function ExpiryDate({ licence }: { licence: PeriodOfLicence }) {
  const mark = licence.renewal === "NONE" ? null : marks[licence.renewal];
  return (
    <Group component="span" display="inline-flex" gap="0.25rem 0.625rem">
      <Moment at={licence.periodEndsAt} as={() => formatPeriodEnd(licence)} />
      {mark && (licence.status === "ACTIVE" || licence.renewal === "PAUSED") ? (
        <Badge color={mark.color}>{mark.label}</Badge>
      ) : (
        licence.status !== "ACTIVE" && <LicenceStatusBadge status={licence.status} />
      )}
    </Group>
  );
}

/** Column with the end of a licence's period. */
export const expiryColumn: Column<PeriodOfLicence> = {
  title: "Expiry Date",
  text: formatPeriodEnd,
  sortBy: (licence) => licence.periodEndsAt,
  render: (licence) => <ExpiryDate licence={licence} />,
};

/** Returns a label for the end of a licence's period, and how to format it. */
export function describePeriodEnd({ renewal, status }: PeriodOfLicence): {
  label: string;
  format: (moment: string) => string;
} {
  if (renewal !== "NONE" && status !== "EXPIRED") return { label: marks[renewal].label, format: formatSellerDate };
  return { label: status === "EXPIRED" ? "Expired" : "Expires", format: formatDateTime };
}
