import { Link } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { MemberType } from "#schema/catalogue.ts";
import { paths, schemaExplorer } from "#web/platform/paths.ts";
import { LicencesTable } from "#web/licensing/licences/licences-table.tsx";
import { TestBuilds } from "#web/releases/software/test-builds.tsx";
import { useMyAccountQuery } from "#web/generated/graphql.ts";
import { PageLayout, Section } from "#web/ui/page-layout.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { formatError } from "#web/platform/server-error.ts";
import classes from "./my-account.module.css";

/** The customer's home page with their licences and account actions. */
export default function MyAccountPage() {
  const { data, error, refetch } = useMyAccountQuery();
  const me = data?.me;
  const isRegular = me?.memberType === MemberType.Regular;
  const isSubscribed = me?.hasActiveSubscription === true;
  const canSubscribe = isRegular && !isSubscribed;
  const actions = me && (
    <>
      {isRegular && (
        <LinkButton to={paths.updateProfile.href()} variant="default">
          Update My Details
        </LinkButton>
      )}
      <LinkButton to={paths.changePassword.href()} variant="default">
        Change Password
      </LinkButton>
      <LinkButton to={paths.twoStepSignIn.href()} variant="default">
        Two-step sign-in
      </LinkButton>
      {isRegular && (
        <LinkButton to={paths.taxInvoices.href()} variant="default">
          Tax Invoices
        </LinkButton>
      )}
      {isRegular && isSubscribed && (
        <>
          <LinkButton to={paths.managePaymentDetails.href()} variant="default">
            Change Payment Details
          </LinkButton>
          <LinkButton to={paths.manageSubscription.href()}>Manage Subscription</LinkButton>
        </>
      )}
      {canSubscribe && (
        <>
          {!me.hasCompletedTrial && (
            <LinkButton to={paths.trial.href()} variant="default">
              Trial Professional
            </LinkButton>
          )}
          <LinkButton to={paths.manageSubscription.href()}>Subscribe</LinkButton>
        </>
      )}
    </>
  );

  return (
    <PageLayout title="My Account" lead={me && <AccountOwner {...me} />} actions={actions}>
      <Section title="Licences">
        <LicencesTable
          licences={me?.licences}
          installer={data?.installer}
          error={error && !me ? formatError(error, "Unable to fetch your licences.") : undefined}
          onRetry={() => void refetch()}
          emptyAction={
            canSubscribe &&
            !me.hasCompletedTrial && <p className={classes.hint}>The free trial of Professional lasts 14 days.</p>
          }
        />
      </Section>
      <TestBuilds installers={data?.installers} />
      <Footnotes />
    </PageLayout>
  );
}

function AccountOwner(me: { firstName: string; lastName: string; email: string }) {
  return (
    <p className={classes.who}>
      <b>
        {me.firstName} {me.lastName}
      </b>
      <span>{me.email}</span>
    </p>
  );
}

function Footnotes() {
  return (
    <section className={classes.notes} aria-label="About your licences">
      <p>
        <Link to={paths.activate.href()}>Activate a device by code</Link> ·{" "}
        <Link to={paths.offlineActivation.href()}>Offline activation</Link> ·{" "}
        <Link to={paths.sessions.href()}>Active sessions</Link> · <Link to={paths.yourData.href()}>Your data</Link>
        <br />
        For your own programs: <Link to={paths.personalAccessTokens.href()}>Personal access tokens</Link> ·{" "}
        <Link to={paths.webhooks.href()}>Webhooks</Link> · <Link to={paths.restApi.href()}>REST API</Link> ·{" "}
        <a href={schemaExplorer}>Schema explorer</a>
      </p>
      <p>
        Licences must not be shared, subleased, or used on government systems without our written consent. We are
        notified when a licence moves to another device.
      </p>
      <p>
        Questions about a licence? Write to{" "}
        <a href={`mailto:${brand.mailboxes.support.email}`}>{brand.mailboxes.support.email}</a>.
      </p>
    </section>
  );
}
