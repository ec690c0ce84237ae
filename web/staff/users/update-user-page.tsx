import { Skeleton, Stack, Tabs, Button } from "@mantine/core";
import { useApolloClient } from "@apollo/client/react";
import { Suspense, useEffect, useRef } from "react";
import { useParams, useSearchParams } from "react-router-dom";
import { useSession } from "#web/platform/session.ts";
import { ForStaffRole, offersRole, useCanChangeAccess } from "#web/platform/staff-role.tsx";
import { paths } from "#web/platform/paths.ts";
import { ViewAsButton } from "#web/access/sessions/view-as-button.tsx";
import { EraseButton } from "./erase-button.tsx";
import { UserHeader } from "./user-header.tsx";
import {
  useUserHeaderQuery,
  type MemberType,
  type UserHeaderFieldsFragment,
  useResendUserConfirmationMutation,
  useSendPasswordResetMutation,
} from "#web/generated/graphql.ts";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { userTabs } from "./update-user-tabs.ts";
import { Loaded } from "#web/ui/loaded.tsx";
import { useRequestedAction } from "#web/platform/use-requested-action.ts";
import { useArchiveUser } from "./use-archive-user.tsx";
import { confirmAction, useOpenDialog } from "#web/ui/dialogs.tsx";

/** Edits a user in tabs. The open tab is in the URL. */
export default function UpdateUserPage() {
  const { id = "" } = useParams();
  const query = useUserHeaderQuery({ variables: { id } });
  const user = query.data?.user;
  return (
    <PageLayout
      title={user ? `${user.firstName} ${user.lastName}` : paths.updateUser.title}
      documentTitle={paths.updateUser.title}
      lead={user ? <UserHeader user={user} /> : !query.error && <LoadingHeader />}
      back={{ to: paths.manageUsers.href(), label: "Manage Users" }}
      actions={
        user && (
          <ForStaffRole has="support">
            <AccountLinkButtons user={user} />
            <MergeButton key={`merge ${user.id}`} user={user} />
            <ViewAsButton key={user.id} userId={user.id} />
            <ForStaffRole has={user.memberType === "ADMIN" ? "owner" : "support"}>
              <ArchiveButton user={user} />
            </ForStaffRole>
            <ForStaffRole has="owner">
              <EraseButton user={user} />
            </ForStaffRole>
          </ForStaffRole>
        )
      }
    >
      <Loaded query={query} failure="Unable to get the user details." loading="Loading the user" tall>
        {({ user: { id: userId, memberType } }) => <UserTabs key={userId} userId={userId} memberType={memberType} />}
      </Loaded>
    </PageLayout>
  );
}

/** Reserves the height of the user's name, badges and plan. */
function LoadingHeader() {
  return (
    <Stack gap={4}>
      <Skeleton height={14} width="min(22rem, 80vw)" my={7} />
      <Skeleton height={20} width="9rem" radius="xl" my={2} />
      <Skeleton height={12} width="min(18rem, 70vw)" my={5} />
    </Stack>
  );
}

function UserTabs({ userId, memberType }: { userId: string; memberType: MemberType }) {
  const [search, setSearch] = useSearchParams();
  const session = useSession();
  const tabs = userTabs.filter(
    ({ isForCustomers, roles }) => !(isForCustomers && memberType === "ADMIN") && offersRole(roles, session),
  );
  // The tab in the URL may be unknown, or hidden for this user.
  const chosen = tabs.find((tab) => tab.id === search.get("tab")) ?? tabs[0];
  const chosenId = chosen?.id;
  const list = useRef<HTMLDivElement>(null);
  // On a narrow screen the row scrolls. Keep the open tab visible.
  useEffect(() => {
    const open = chosenId && list.current?.querySelector<HTMLElement>("[aria-selected=true]");
    if (open) open.scrollIntoView?.({ block: "nearest", inline: "nearest", behavior: "instant" });
  }, [chosenId]);
  if (!chosen) return null;
  const { Panel } = chosen;
  const choose = (tab: string | null | undefined) => {
    if (tab && tab !== chosen.id) setSearch({ tab });
  };
  return (
    <Tabs value={chosen.id} onChange={choose}>
      <Tabs.List ref={list} aria-label="User sections" mb="lg" style={{ flexWrap: "nowrap", overflowX: "auto" }}>
        {tabs.map(({ id, label }) => (
          <Tabs.Tab
            key={id}
            value={id}
            fz="md"
            mih="2.75rem"
            style={{ flex: "none", outlineOffset: -3 }}
            onKeyDown={({ key }) => {
              // Mantine only moves the focus on these keys.
              if (key === "Home" || key === "End") choose(tabs.at(key === "Home" ? 0 : -1)?.id);
            }}
          >
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel key={chosen.id} value={chosen.id} tabIndex={0}>
        <Suspense fallback={<LoadingBlock label={`Loading ${chosen.label}`} tall />}>
          <Panel userId={userId} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  );
}

/** Button that archives a user, which the screens call deleting, or restores them. Hidden for the admin's own account. */
function ArchiveButton({ user }: { user: UserHeaderFieldsFragment }) {
  const client = useApolloClient();
  // It also changes the subscription and the licences.
  const { archive, restore } = useArchiveUser(
    () => void client.refetchQueries({ include: "active" }).catch(() => undefined),
  );
  const isOwn = useSession()?.claims.id === user.id;
  const canArchive = user.isActive && !isOwn;
  const canRestore = !user.isActive && !user.deletedAt;
  useRequestedAction({ archive: () => canArchive && archive(user), restore: () => canRestore && restore(user) });
  if (canRestore)
    return (
      <Button variant="default" onClick={() => restore(user)}>
        Restore
      </Button>
    );
  return (
    canArchive && (
      <Button variant="light" color="red" onClick={() => archive(user)}>
        Delete
      </Button>
    )
  );
}

/** Buttons that email a user a link, each with a confirmation. Hidden for archived users. */
function AccountLinkButtons({ user }: { user: UserHeaderFieldsFragment }) {
  const [sendPasswordReset] = useSendPasswordResetMutation();
  const [resendConfirmation] = useResendUserConfirmationMutation();
  const mayReset = useCanChangeAccess(user.memberType);
  if (!user.isActive) return null;
  const variables = { userId: user.id };
  return (
    <>
      {!user.emailConfirmed && (
        <LinkButton
          action="confirmation"
          label="Resend Confirmation"
          text="The user gets a new link to confirm their email address. The older link stops working."
          onSend={() => resendConfirmation({ variables })}
        />
      )}
      {mayReset && (
        <LinkButton
          action="password-reset"
          label="Send Password Reset"
          text="The user gets a link to choose a new password. The current password works until they use the link."
          onSend={() => sendPasswordReset({ variables })}
        />
      )}
    </>
  );
}

interface LinkButtonProps {
  /** Name for the URL parameter `action`. */
  action: string;
  label: string;
  text: string;
  onSend: () => Promise<unknown>;
}

function LinkButton({ action, label, text, onSend }: LinkButtonProps) {
  const ask = () =>
    confirmAction({
      title: label,
      confirmLabel: "Send email",
      text,
      run: onSend,
      success: "The email has been sent.",
      failure: "Unable to send the email.",
    });
  useRequestedAction({ [action]: ask });
  return (
    <Button variant="default" onClick={ask}>
      {label}
    </Button>
  );
}

/** Button that merges another account of a customer into this one. Hidden for admins and closed accounts. */
function MergeButton({ user }: { user: UserHeaderFieldsFragment }) {
  const openDialog = useOpenDialog();
  const canMerge = user.isActive && user.memberType !== "ADMIN";
  const open = () => openDialog(() => import("#web/staff/merges/merge-dialog.tsx"), { user });
  useRequestedAction({ merge: () => canMerge && open() });
  if (!canMerge) return null;
  return (
    <Button variant="default" onClick={open}>
      Merge
    </Button>
  );
}
