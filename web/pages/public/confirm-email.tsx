import { useState } from "react";
import { unconfirmed } from "#web/platform/route-entry.ts";
import { Guard } from "#web/platform/guard.tsx";
import { currentSession } from "#web/platform/session.ts";
import { ConfirmEmail } from "#web/access/accounts/confirm-email.tsx";
import { ConfirmEmailSignedIn } from "#web/access/accounts/confirm-email-signed-in.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page opened by the link in a confirmation email. */
export default function ConfirmEmailPage() {
  const [cameSignedIn] = useState(() => currentSession() !== null);
  if (cameSignedIn) return <ConfirmEmailSignedIn />;
  return (
    <Guard access={unconfirmed}>
      <PageLayout title="Confirm Email" width="narrow" card>
        <ConfirmEmail />
      </PageLayout>
    </Guard>
  );
}
