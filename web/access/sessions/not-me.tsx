import { paths } from "#web/platform/paths.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { BusyButton } from "#web/ui/busy-button.tsx";
import layout from "#web/ui/layout.module.css";
import { ErrorState } from "#web/ui/message-state.tsx";
import classes from "#web/access/accounts/accounts.module.css";
import { useLinkAction } from "#web/access/accounts/link-token.ts";
import operation from "operation:SecureAccountByLink";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { MailLink } from "#web/ui/mail-link.tsx";

function NotMe() {
  const { isInvalid, run } = useLinkAction((token) => postGraphql(operation, { token }), {
    success: "Your account is secured. Choose a new password.",
    failure: "Unable to secure your account.",
  });

  if (isInvalid)
    return (
      <ErrorState message="Sorry, this link is invalid.">
        <p>
          The link works once, within 7 days. To secure your account, choose <b>Forgot Password</b>, or email{" "}
          <MailLink to="support" />.
        </p>
        <LinkButton to={paths.forgotPassword.href()}>Forgot Password</LinkButton>
      </ErrorState>
    );
  return (
    <div className={classes.panel}>
      <p>
        This signs you out everywhere, revokes your personal access tokens, turns off your webhook endpoints, and makes
        your password useless. Then choose a new password. We also tell our staff.
      </p>
      <div className={layout.actions}>
        <BusyButton onPress={run}>Secure my account</BusyButton>
      </div>
    </div>
  );
}

/** Page opened by the link "This wasn't me" of an email. */
export default function NotMePage() {
  return (
    <PageLayout title={paths.notMe.title} width="narrow" card>
      <NotMe />
    </PageLayout>
  );
}
