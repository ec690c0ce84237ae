import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useState } from "react";
import { loginHref, paths } from "#web/platform/paths.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import layout from "#web/ui/layout.module.css";
import { Loaded } from "#web/ui/loaded.tsx";
import { ErrorState } from "#web/ui/message-state.tsx";
import { useAnswer } from "#web/platform/use-answer.ts";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { getErrorCode } from "#web/platform/server-error.ts";
import { INVALID_TOKEN, resendConfirmation } from "./email-confirmation.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import operation from "operation:EmailConfirmation";
import classes from "./accounts.module.css";
import { useNavigate, useParams } from "react-router-dom";
import { unconfirmed } from "#web/platform/route-entry.ts";
import { Guard } from "#web/platform/route-guard.tsx";
import { SignOutAfterEmailChange } from "./sign-out-after-email-change.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { MailLink } from "#web/ui/mail-link.tsx";

const ChangeEmailDialog = lazyPart(() => import("./change-email-dialog.tsx"), "notification", null);

/**
 * Shows the address the confirmation link was sent to, with ways to send it again. If an existing account is changing
 * its address, the new address can be corrected only after signing in.
 */
function EmailConfirmationPanel({ handle }: { handle: string }) {
  const navigate = useNavigate();
  const query = useAnswer(() => postGraphql(operation, { handle }));
  const { error } = query;
  const address = query.data?.emailConfirmation;
  const [changedTo, setChangedTo] = useState<string | null>(null);
  const [isDialogOpen, setIsDialogOpen] = useState(false);

  // Once it is confirmed, the page has no address.
  if ((address && address.email == null) || getErrorCode(error) === "NOT_FOUND") return <InvalidConfirmation />;
  if (error || !address)
    return <Loaded query={query} failure="Unable to load the data." loading="Loading your registration" />;
  const { email, isChange } = changedTo === null ? address : { email: changedTo, isChange: false };

  async function resend() {
    if (await resendConfirmation(handle)) void navigate(paths.login.href());
  }

  return (
    <div className={classes.panel}>
      <p>We have sent an email confirmation link to</p>
      <p className={`${layout.card} ${classes.box}`} data-break="anywhere">
        <b>{email}</b>
      </p>
      <p>
        Open the link in the email to confirm your address and sign in. The link is valid for 72 hours.
        {isChange && " Until then, sign in with your old address."} No email? Check your spam folder, send it again, or{" "}
        {isChange ? "sign in to correct the address" : "correct the address"}.
      </p>
      <div className={layout.actions}>
        <BusyButton onPress={resend}>Re-send Email</BusyButton>
        {isChange ? (
          // Changing the address here would let anyone with this page's URL take over the account.
          <LinkButton to={loginHref(paths.updateProfile.href())} variant="default">
            Login
          </LinkButton>
        ) : (
          <Button variant="default" onClick={() => setIsDialogOpen(true)}>
            Change Email Address
          </Button>
        )}
      </div>
      <p className={layout.note}>
        Need help? Email <MailLink to="support" />.
      </p>
      {isDialogOpen && (
        <ChangeEmailDialog
          opened
          handle={handle}
          onClose={() => setIsDialogOpen(false)}
          onMissing={() => setIsDialogOpen(false)}
          onChanged={(to) => {
            setChangedTo(to);
            setIsDialogOpen(false);
          }}
        />
      )}
    </div>
  );
}

/** Error state for an invalid confirmation link or page. */
export function InvalidConfirmation() {
  return (
    <ErrorState message={INVALID_TOKEN}>
      <p>
        The link works once, within 72 hours, and only until you request a newer one. If your address is not confirmed
        yet, log in to request a new link. Otherwise, email <MailLink to="support" />.
      </p>
      <LinkButton to={paths.login.href()}>Login</LinkButton>
    </ErrorState>
  );
}

/** Page shown until a new registration or a changed address is confirmed. */
export default function EmailConfirmationPage() {
  const { userId = "" } = useParams();
  return (
    <SignOutAfterEmailChange>
      <Guard access={unconfirmed}>
        <PageLayout title={paths.emailConfirmation.title} width="narrow" card>
          <EmailConfirmationPanel key={userId} handle={userId} />
        </PageLayout>
      </Guard>
    </SignOutAfterEmailChange>
  );
}
