import { paths } from "#web/platform/paths.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { BusyButton } from "#web/ui/busy-button.tsx";
import layout from "#web/ui/layout.module.css";
import { ErrorState } from "#web/ui/message-state.tsx";
import classes from "./accounts.module.css";
import { useLinkAction } from "./link-token.ts";
import operation from "operation:UndoEmailChange";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { MailLink } from "#web/ui/mail-link.tsx";

/** Page opened by the link that undoes a change of the email address. */
export default function UndoEmailChangePage() {
  return (
    <PageLayout title={paths.undoEmailChange.title} width="narrow" card>
      <UndoEmailChange />
    </PageLayout>
  );
}

function UndoEmailChange() {
  const { isInvalid, run } = useLinkAction((token) => postGraphql(operation, { token }), {
    success: "Your old email address has been restored. Choose a new password.",
    failure: "Unable to undo the change.",
  });

  if (isInvalid)
    return (
      <ErrorState message="Sorry, this link is invalid.">
        <p>
          The link works once, within 7 days. If you can&apos;t sign in, email <MailLink to="support" />.
        </p>
        <LinkButton to={paths.login.href()}>Login</LinkButton>
      </ErrorState>
    );
  return (
    <div className={classes.panel}>
      <p>
        This restores the email address that we sent the link to. You will be signed out everywhere, and your personal
        access tokens will be revoked. Then choose a new password.
      </p>
      <div className={layout.actions}>
        <BusyButton onPress={run}>Undo the change</BusyButton>
      </div>
    </div>
  );
}
