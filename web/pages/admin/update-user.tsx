import { Suspense } from "react";
import { useParams, useSearchParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { ViewAsButton } from "#web/access/sessions/view-as-button.tsx";
import { UserHeader } from "#web/staff/users/user-header.tsx";
import { useUserHeaderQuery } from "#web/generated/graphql.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { formatError } from "#web/platform/server-error.ts";
import { Tabs } from "#web/ui/tabs.tsx";
import { userTabs } from "./update-user-tabs.ts";

/** Edits a user in tabs. The open tab is in the URL. */
export default function UpdateUserPage() {
  const { id = "" } = useParams();
  const { data, error, refetch } = useUserHeaderQuery({ variables: { id } });
  const user = data?.user;
  return (
    <PageLayout
      title="Update User"
      lead={user && <UserHeader user={user} />}
      back={{ to: paths.manageUsers.href(), label: "Manage Users" }}
      actions={user && <ViewAsButton key={user.id} userId={user.id} />}
    >
      {user ? (
        <UserTabs key={user.id} userId={user.id} memberType={user.memberType} />
      ) : error ? (
        <ErrorState message={formatError(error, "Unable to get the user details.")} onRetry={() => void refetch()} />
      ) : (
        <LoadingBlock label="Loading the user" tall />
      )}
    </PageLayout>
  );
}

function UserTabs({ userId, memberType }: { userId: string; memberType: number }) {
  const [search, setSearch] = useSearchParams();
  const tabs = userTabs.filter((tab) => !tab.hiddenFor?.includes(memberType));
  // The tab in the URL may be unknown, or hidden for this user.
  const chosen = tabs.find((tab) => tab.id === search.get("tab")) ?? tabs[0];
  if (!chosen) return null;
  const { Panel } = chosen;
  return (
    <Tabs label="User sections" tabs={tabs} chosen={chosen.id} onChoose={(tab) => setSearch({ tab })}>
      <Suspense fallback={<LoadingBlock label={`Loading ${chosen.label}`} tall />}>
        <Panel key={chosen.id} userId={userId} />
      </Suspense>
    </Tabs>
  );
}
