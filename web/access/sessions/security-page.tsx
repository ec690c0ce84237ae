import { Button, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import { Sessions } from "./sessions.tsx";
import { TwoStepSignIn } from "#web/access/two-step/two-step-sign-in.tsx";
import { paths } from "#web/platform/paths.ts";
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
        <TwoStepSignIn />
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
  // One change can make several equal rows.
  const events = data.accountAccess.rows.map((row, index) => ({ ...row, id: String(index), by: row.role }));
  return <Events events={events} none="Our staff haven't viewed or changed your account." />;
}

/** Lists the latest sign-ins, uses of tokens and exports in the user's account. */
export function AccountActivity() {
  const query = useAccountActivityQuery();
  const { data } = query;
  if (!data) return <Loaded query={query} failure="Unable to fetch the activity." loading="Loading your activity" />;
  const events = data.accountActivity.rows.map((row) => ({ ...row, by: row.address }));
  return <Events events={events} none="Nothing has happened in your account yet." />;
}

interface EventsProps {
  events: readonly { id: string; at: string; by: string; description: string }[];
  none: string;
}

/** Lists what happened, each with who or what address did it, and when. */
function Events({ events, none }: EventsProps) {
  if (events.length === 0) return <EmptyState message={none} />;
  return (
    <PlainList gap="xs">
      {events.map(({ id, at, by, description }) => (
        <Text component="li" key={id} size="sm">
          {description}{" "}
          <Text span c="dimmed" inherit>
            {by && `${by}, `}
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
