import { Paper } from "@mantine/core";
import { useUserDetailsQuery } from "#web/generated/graphql.ts";
import { OtherEditors } from "#web/staff/presence/other-editors.tsx";
import { UpdateUserForm } from "./update-user-form.tsx";
import { Loaded } from "#web/ui/loaded.tsx";

/** Update User tab with the details form. */
export function UserDetailsTab({ userId }: { userId: string }) {
  // The cache may have outdated details, so the form loads from the network.
  const query = useUserDetailsQuery({ variables: { id: userId }, fetchPolicy: "network-only" });
  return (
    <Loaded query={query} failure="Unable to get the user details." loading="Loading the user details">
      {({ user }) => (
        <Paper withBorder radius="lg" shadow="sm" p="var(--xp-panel-padding)" maw="52rem">
          <OtherEditors key={`editors of ${user.id}`} userId={user.id} />
          <UpdateUserForm key={user.id} user={user} />
        </Paper>
      )}
    </Loaded>
  );
}
