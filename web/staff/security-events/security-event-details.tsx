import { Anchor, Table, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import { formatNumber } from "#schema/numbers.ts";
import { paths } from "#web/platform/paths.ts";
import type { SecurityEventsQuery } from "#web/generated/graphql.ts";
import { toValue } from "#schema/closed-list.ts";
import { securityEventTypes } from "#schema/security-event.ts";
import { Moment } from "#web/ui/moment.tsx";

export type SecurityEventRow = SecurityEventsQuery["securityEvents"]["rows"][number];

type Person = SecurityEventRow["user"];

/** Shows everything that is known about a security event. */
export function SecurityEventDetails({ event }: { event: SecurityEventRow }) {
  const { at, type, address, count, requestId, facts, user, actor } = event;
  return (
    <Table layout="fixed" verticalSpacing={7} fz="sm" style={{ overflowWrap: "anywhere" }}>
      <Table.Tbody>
        <Row label="Time">
          <Moment at={at} />
        </Row>
        <Row label="Type">{toValue(securityEventTypes, type)}</Row>
        {user && (
          <Row label="User">
            <UserLink user={user} />
          </Row>
        )}
        {actor && (
          <Row label="By">
            <UserLink user={actor} />
          </Row>
        )}
        <Row label="IP address">{address || "Unknown"}</Row>
        {count > 1 && <Row label="Number of events">{formatNumber(count)}</Row>}
        {facts.map(({ label, value }) => (
          <Row key={label} label={label}>
            {value}
          </Row>
        ))}
        <Row label="Request">{requestId}</Row>
      </Table.Tbody>
    </Table>
  );
}

function Row({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" w="9rem" fw={560} pl={0}>
        {label}
      </Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  );
}

/** Links to a user. Shows a note for a user who no longer exists. */
export function UserLink({ user }: { user: Person }) {
  if (!user)
    return (
      <Text span c="dimmed">
        Unknown user
      </Text>
    );
  return (
    <Anchor component={Link} to={paths.updateUser.href({ id: user.id })}>
      {`${user.firstName} ${user.lastName}`}
    </Anchor>
  );
}
