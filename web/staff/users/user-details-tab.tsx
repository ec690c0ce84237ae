import { Paper } from "@mantine/core";
import { useUserDetailsQuery } from "#web/generated/graphql.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { formatError } from "#web/platform/server-error.ts";
import { OtherEditors } from "#web/staff/presence/other-editors.tsx";
import { UpdateUserForm } from "./update-user-form.tsx";

/** Update User tab with the details form. */
export function UserDetailsTab({ userId }: { userId: string }) {
  // The cache may have outdated details, so the form loads from the network.
  const { data, error, refetch } = useUserDetailsQuery({ variables: { id: userId }, fetchPolicy: "network-only" });
  if (data)
    return (
      <Paper withBorder radius="lg" shadow="sm" p="var(--xp-panel-padding)" maw="52rem">
        <OtherEditors key={`editors of ${data.user.id}`} userId={data.user.id} />
        <UpdateUserForm key={data.user.id} user={data.user} />
      </Paper>
    );
  if (error)
    return (
      <ErrorState message={formatError(error, "Unable to get the user details.")} onRetry={() => void refetch()} />
    );
  return <LoadingBlock label="Loading the user details" />;
}
