import { useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { notify } from "#web/platform/notifications.ts";
import { paths } from "#web/platform/paths.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import { refreshSession } from "#web/platform/refresh-session.ts";
import { getErrorCode } from "#web/platform/server-error.ts";
import { getSession } from "#web/platform/session.ts";
import { LinkButton } from "#web/ui/button.tsx";
import { BusyButton } from "#web/ui/busy-button.tsx";
import layout from "#web/ui/layout.module.css";
import { ErrorState } from "#web/ui/message-state.tsx";
import { getLinkToken } from "./link-token.ts";
import operation from "operation:UndoEmailChange";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page opened by the link that undoes a change of the email address. */
export default function UndoEmailChangePage() {
  return (
    <PageLayout title={paths.undoEmailChange.title} width="narrow" card>
      <UndoEmailChange />
    </PageLayout>
  );
}

/**
 * Undoes a change of the email address after a click, because programs that scan emails also open links. Then opens the
 * form for a new password, for which the link's token works once more.
 */
function UndoEmailChange() {
  const navigate = useNavigate();
  const token = getLinkToken(useLocation().search);
  const [isInvalid, setIsInvalid] = useState(token === "");

  async function undo() {
    try {
      await postGraphql(operation, { token });
    } catch (error) {
      if (getErrorCode(error) === "BAD_USER_INPUT") setIsInvalid(true);
      else notify.failure(error, "Unable to undo the change.");
      return;
    }
    // A session of this account has ended. Refreshing it removes it from this browser.
    const session = getSession();
    if (session) await refreshSession(session.accessToken);
    notify.success("Your old email address has been restored. Choose a new password.");
    void navigate(`${paths.resetPassword.href()}?t=${token}`, { replace: true });
  }

  if (isInvalid)
    return (
      <ErrorState message="Sorry, this link is invalid.">
        <p>
          The link works once, within 7 days. If you can&apos;t sign in, email{" "}
          <a href={`mailto:${brand.mailboxes.support.email}`}>{brand.mailboxes.support.email}</a>.
        </p>
        <LinkButton to={paths.login.href()}>Login</LinkButton>
      </ErrorState>
    );
  return (
    <>
      <p>
        This restores the email address that we sent the link to. You will be signed out everywhere, and your personal
        access tokens will be revoked. Then choose a new password.
      </p>
      <div className={layout.actions}>
        <BusyButton onPress={undo}>Undo the change</BusyButton>
      </div>
    </>
  );
}
