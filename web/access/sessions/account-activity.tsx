import { Stack, Text } from "@mantine/core";
import { formatDateTime } from "#schema/dates.ts";
import { useAccountActivityQuery } from "#web/generated/graphql.ts";
import { EmptyState } from "#web/ui/message-state.tsx";
import { Loaded } from "#web/ui/loaded.tsx";

/** Lists the latest sign-ins, uses of tokens and exports in the user's account. */
export function AccountActivity() {
  const query = useAccountActivityQuery({ fetchPolicy: "cache-and-network" });
  const { data } = query;
  if (!data) return <Loaded query={query} failure="Unable to fetch the activity." loading="Loading your activity" />;
  const { rows } = data.accountActivity;
  if (rows.length === 0) return <EmptyState message="Nothing has happened in your account yet." />;
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: "none" }}>
      {rows.map(({ id, at, description, address }) => (
        <Text component="li" key={id} size="sm">
          {description}{" "}
          <Text span c="dimmed" inherit>
            {[address, formatDateTime(at)].filter(Boolean).join(", ")}
          </Text>
        </Text>
      ))}
    </Stack>
  );
}
