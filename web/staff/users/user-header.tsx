import { Badge, Group, Text } from "@mantine/core";
import { findLabel, memberTypes } from "#schema/catalogue.ts";
import type { UserHeaderFieldsFragment } from "#web/generated/graphql.ts";

/** Shows a user's name, company, type and status on one line. */
export function UserHeader({ user }: { user: UserHeaderFieldsFragment }) {
  const { firstName, lastName, companyName, memberType, isActive, emailConfirmed, cancellationPendingSince } = user;
  return (
    <Group gap="6px 12px" style={{ overflowWrap: "anywhere" }}>
      <Text component="b" inherit fw={600} c="var(--xp-ink)">
        {firstName} {lastName}
      </Text>
      {companyName && <span>{companyName}</span>}
      <Badge>{findLabel(memberTypes, memberType)}</Badge>
      <Badge color={isActive ? "spruce" : "red"}>{isActive ? "Active" : "Archived"}</Badge>
      {cancellationPendingSince && <Badge color="red">Subscription cancellation pending</Badge>}
      {!emailConfirmed && <Badge color="marigold">Email not confirmed</Badge>}
    </Group>
  );
}
