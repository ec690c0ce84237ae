import { brand } from "#schema/brand.ts";
import { paths } from "#web/platform/paths.ts";
import { ErrorState } from "#web/ui/message-state.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { INVALID_TOKEN } from "./email-confirmation.ts";

/** A confirmation link or page that leads nowhere any more, and the way on. */
export function InvalidConfirmation() {
  return (
    <ErrorState message={INVALID_TOKEN}>
      <p>
        The link may be used up, older than 72 hours, or replaced by a newer one. Sign in: if your address still waits
        for its confirmation, we can send you a new link from there. Otherwise write to{" "}
        <a href={`mailto:${brand.mailboxes.support.email}`}>{brand.mailboxes.support.email}</a>.
      </p>
      <LinkButton to={paths.login.href()}>Login</LinkButton>
    </ErrorState>
  );
}
