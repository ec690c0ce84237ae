import { useProfileQuery } from "#web/generated/graphql.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { messageOf } from "#web/platform/server-error.ts";
import { ProfileForm } from "./profile-form.tsx";

/** The person's details, ready to be changed. */
export function Profile() {
  // From the cache the form would begin with details that another tab has changed.
  const { data, error, refetch } = useProfileQuery({ fetchPolicy: "network-only" });
  if (data) return <ProfileForm profile={data.me} />;
  if (error)
    return (
      <ErrorState message={messageOf(error, "Unable to fetch the user profile.")} onRetry={() => void refetch()} />
    );
  return <LoadingBlock label="Loading your details" />;
}
