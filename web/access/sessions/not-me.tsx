import { Stack } from "@mantine/core";
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
import { getLinkToken } from "#web/access/accounts/link-token.ts";
import operation from "operation:SecureAccountByLink";
import { PageLayout } from "#web/ui/page-layout.tsx";

/**
 * Secures the account after a click, because programs that scan emails also open links. Then opens the form for a new password,
 * for which the link's token works.
 */
export function NotMe() {
  const navigate = useNavigate();
  const token = getLinkToken(useLocation().search);
  const [isInvalid, setIsInvalid] = useState(token === "");

  async function secure() {
    try {
      await postGraphql(operation, { token });
    } catch (error) {
      if (getErrorCode(error) === "BAD_USER_INPUT") setIsInvalid(true);
      else notify.failure(error, "Unable to secure your account.");
      return;
    }
    // A session of this account has ended. Refreshing it removes it from this browser.
    const session = getSession();
    if (session) await refreshSession(session.accessToken);
    notify.success("Your account is secured. Choose a new password.");
    void navigate(`${paths.resetPassword.href()}?t=${token}`, { replace: true });
  }

  if (isInvalid)
    return (
      <ErrorState message="Sorry, this link is invalid.">
        <p>
          The link works once, within 7 days. To secure your account, choose <b>Forgot Password</b>, or email{" "}
          <a href={`mailto:${brand.mailboxes.support.email}`}>{brand.mailboxes.support.email}</a>.
        </p>
        <LinkButton to={paths.forgotPassword.href()}>Forgot Password</LinkButton>
      </ErrorState>
    );
  return (
    <Stack gap="lg">
      <p>
        This signs you out everywhere, revokes your personal access tokens, turns off your webhook endpoints, and makes
        your password useless. Then choose a new password. We also tell our staff.
      </p>
      <div className={layout.actions}>
        <BusyButton onPress={secure}>Secure my account</BusyButton>
      </div>
    </Stack>
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
