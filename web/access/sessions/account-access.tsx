import { Stack, Text } from "@mantine/core";
import { formatDateTime } from "#schema/dates.ts";
import { useAccountAccessQuery } from "#web/generated/graphql.ts";
import { formatError } from "#web/platform/server-error.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { EmptyState, ErrorState } from "#web/ui/message-state.tsx";

/** Lists who of our staff viewed, exported or changed the customer's account, by role and time. */
export function AccountAccess() {
  const { data, error, refetch } = useAccountAccessQuery({ fetchPolicy: "cache-and-network" });
  if (error && !data)
    return <ErrorState message={formatError(error, "Unable to fetch the list.")} onRetry={() => void refetch()} />;
  if (!data) return <LoadingBlock label="Loading access by our staff" />;
  const { rows } = data.accountAccess;
  if (rows.length === 0) return <EmptyState message="Our staff haven't viewed or changed your account." />;
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: "none" }}>
      {rows.map(({ at, role, description }) => (
        <Text component="li" key={`${at} ${description}`} size="sm">
          {description}{" "}
          <Text span c="dimmed" inherit>
            {role}, {formatDateTime(at)}
          </Text>
        </Text>
      ))}
    </Stack>
  );
}
