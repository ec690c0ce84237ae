import { Badge, type BadgeTone } from "#web/ui/badge.tsx";
import type { LicenceStatus } from "#web/generated/graphql.ts";

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
