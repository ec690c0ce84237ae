import { Button, Text } from "@mantine/core";
import { Link, useLocation } from "react-router-dom";
import { Sessions } from "./sessions.tsx";
import { TwoStepSignIn } from "#web/access/two-step/two-step-sign-in.tsx";
import { paths } from "#web/platform/paths.ts";
import { readCameFrom } from "#web/platform/return-url.ts";
import { useSession } from "#web/platform/session.ts";
import { PageLayout, Section } from "#web/ui/page-layout.tsx";
import { useAccountAccessQuery, useAccountActivityQuery, useSecureMyAccountMutation } from "#web/generated/graphql.ts";
import { EmptyState } from "#web/ui/message-state.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { useApolloClient } from "@apollo/client/react";
import { confirmAction } from "#web/ui/dialogs.tsx";
import { PlainList } from "#web/ui/plain-list.tsx";

/** Page for password, two-step sign-in and sessions, for customers and admins. */
export default function SecurityPage() {
  const session = useSession();
  const { state, pathname } = useLocation();
  return (
    <PageLayout
      title={paths.security.title}
      lead="Your password, two-step sign-in, where you are signed in, and what happened in your account."
    >
      <Section
        title="Password"
        actions={
          <Button component={Link} to={paths.changePassword.href()} variant="default">
            Change Password
          </Button>
        }
      >
        <Text size="sm" c="dimmed">
          When you change your password, you are signed out everywhere else.
        </Text>
      </Section>
      <Section title="Two-step sign-in">
        <TwoStepSignIn returnTo={readCameFrom(state) ?? pathname} />
      </Section>
      <Section title="Active sessions">
        <Sessions />
      </Section>
      <Section title="Activity" actions={<NotMeButton />}>
        <AccountActivity />
      </Section>
      {session?.claims.role !== "admin" && (
        <Section title="Access by our staff">
          <AccountAccess />
        </Section>
      )}
    </PageLayout>
  );
}

/** Lists who of our staff viewed, exported or changed the customer's account, by role and time. */
export function AccountAccess() {
  const query = useAccountAccessQuery();
  const { data } = query;
  if (!data) return <Loaded query={query} failure="Unable to fetch the list." loading="Loading access by our staff" />;
  const { rows } = data.accountAccess;
  if (rows.length === 0) return <EmptyState message="Our staff haven't viewed or changed your account." />;
  return (
    <PlainList gap="xs">
      {rows.map(({ at, role, description }) => (
        <Text component="li" key={`${at} ${description}`} size="sm">
          {description}{" "}
          <Text span c="dimmed" inherit>
            {role}, <Moment at={at} />
          </Text>
        </Text>
      ))}
    </PlainList>
  );
}

/** Lists the latest sign-ins, uses of tokens and exports in the user's account. */
export function AccountActivity() {
  const query = useAccountActivityQuery();
  const { data } = query;
  if (!data) return <Loaded query={query} failure="Unable to fetch the activity." loading="Loading your activity" />;
  const { rows } = data.accountActivity;
  if (rows.length === 0) return <EmptyState message="Nothing has happened in your account yet." />;
  return (
    <PlainList gap="xs">
      {rows.map(({ id, at, description, address }) => (
        <Text component="li" key={id} size="sm">
          {description}{" "}
          <Text span c="dimmed" inherit>
            {address && `${address}, `}
            <Moment at={at} />
          </Text>
        </Text>
      ))}
    </PlainList>
  );
}

/** Secures the account after a sign-in or change that the user doesn't recognise. */
export function NotMeButton() {
  const [secure] = useSecureMyAccountMutation();
  const client = useApolloClient();
  const ask = () =>
    confirmAction({
      title: "Secure your account",
      confirmLabel: "Secure account",
      danger: true,
      text: "You will be signed out everywhere except here. Your personal access tokens will be revoked and your webhook endpoints turned off. Your password stops working: we email you a link to choose a new one. We also tell our staff.",
      run: () => secure(),
      success: ({ data }) =>
        `Your account is secured. We emailed a link for a new password to ${data?.secureMyAccount.email}.`,
      failure: "Unable to secure your account.",
      onSettled: () => client.refetchQueries({ include: "active" }).catch(() => undefined),
    });
  return (
    <Button color="red" variant="light" onClick={ask}>
      This wasn&apos;t me
    </Button>
  );
}
