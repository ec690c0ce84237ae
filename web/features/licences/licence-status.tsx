import { Badge } from "@mantine/core";
import type { LicenceStatus } from "#web/generated/graphql.ts";

const badges: Record<Exclude<LicenceStatus, "ACTIVE">, { label: string; color: string }> = {
  EXPIRED: { label: "Expired", color: "marigold" },
  SUSPENDED: { label: "Suspended", color: "red" },
  REVOKED: { label: "Deactivated", color: "red" },
};

/** Says why a licence is of no use now; nothing for one that is. */
export function LicenceStatusBadge({ status }: { status: LicenceStatus }) {
  if (status === "ACTIVE") return null;
  const { label, color } = badges[status];
  return (
    <Badge variant="light" color={color} radius="sm" tt="none" fw={600} fz="0.75rem">
      {label}
    </Badge>
  );
}
