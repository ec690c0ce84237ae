import { Stack, Text } from "@mantine/core";
import { useAccountAccessQuery } from "#web/generated/graphql.ts";
import { EmptyState } from "#web/ui/message-state.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { Moment } from "#web/ui/moment.tsx";

/** Lists who of our staff viewed, exported or changed the customer's account, by role and time. */
export function AccountAccess() {
  const query = useAccountAccessQuery({ fetchPolicy: "cache-and-network" });
  const { data } = query;
  if (!data) return <Loaded query={query} failure="Unable to fetch the list." loading="Loading access by our staff" />;
  const { rows } = data.accountAccess;
  if (rows.length === 0) return <EmptyState message="Our staff haven't viewed or changed your account." />;
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: "none" }}>
      {rows.map(({ at, role, description }) => (
        <Text component="li" key={`${at} ${description}`} size="sm">
          {description}{" "}
          <Text span c="dimmed" inherit>
            {role}, <Moment at={at} />
          </Text>
        </Text>
      ))}
    </Stack>
  );
}
