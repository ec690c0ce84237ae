import { useState } from "react";
import { unconfirmed } from "#web/platform/route-entry.ts";
import { Guard } from "#web/platform/route-guard.tsx";
import { getSession } from "#web/platform/session.ts";
import { ConfirmEmail } from "./confirm-email.tsx";
import { ConfirmEmailSignedIn } from "./confirm-email-signed-in.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

/** Page opened by the link in a confirmation email. */
export default function ConfirmEmailPage() {
  const [isSignedInAtStart] = useState(() => getSession() !== null);
  if (isSignedInAtStart) return <ConfirmEmailSignedIn />;
  return (
    <Guard access={unconfirmed}>
      <PageLayout title={paths.confirmEmail.title} width="narrow" card>
        <ConfirmEmail />
      </PageLayout>
    </Guard>
  );
}
