import { Button, Text } from "@mantine/core";
import { Link, useLocation } from "react-router-dom";
import { AccountAccess } from "./account-access.tsx";
import { AccountActivity } from "./account-activity.tsx";
import { NotMeButton } from "./not-me-button.tsx";
import { Sessions } from "./sessions.tsx";
import { TwoStepSignIn } from "#web/access/two-step/two-step-sign-in.tsx";
import { paths } from "#web/platform/paths.ts";
import { toSafeReturnUrl } from "#web/platform/return-url.ts";
import { useSession } from "#web/platform/session.ts";
import { PageLayout, Section } from "#web/ui/page-layout.tsx";

/** Page for password, two-step sign-in and sessions, for customers and admins. */
export default function SecurityPage() {
  const session = useSession();
  const { state, pathname } = useLocation();
  const cameFrom = toSafeReturnUrl((state as { from?: unknown } | null)?.from);
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
        <TwoStepSignIn returnTo={cameFrom ?? pathname} />
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
