import { Badge } from "@mantine/core";
import type { ReactNode } from "react";
import { needsSeat } from "#schema/catalogue.ts";
import type { LicenceHistoryQuery } from "#web/generated/graphql.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { describePeriodEnd, LicenceStatusBadge } from "./licence-expiry.tsx";
import classes from "./licence-status-card.module.css";

/** Shows the current status of a licence and its support code. */
export function LicenceStatusCard({ licence }: { licence: LicenceHistoryQuery["licence"] }) {
  const { devices, leases, numberOfMachines, numberOfUsers, supportCode, usageLimit, usageRemaining } = licence;
  const end = describePeriodEnd(licence);
  return (
    <section className={classes.card} aria-label="This licence">
      <div className={classes.head}>
        <h2>
          {licence.product} {licence.subscriptionLevel}
        </h2>
        {licence.status === "ACTIVE" ? <Badge>Active</Badge> : <LicenceStatusBadge status={licence.status} />}
      </div>
      <dl className={classes.facts}>
        <Fact name={end.label}>{end.date}</Fact>
        <Fact name="Devices">
          {devices.length} of {numberOfMachines} in use
        </Fact>
        {needsSeat(licence.licenceActivationType) && (
          <Fact name="Seats">
            {leases.length} of {numberOfUsers} in use
          </Fact>
        )}
        {typeof usageLimit === "number" && (
          <Fact name="Conversions left">
            {usageRemaining} of {usageLimit}
          </Fact>
        )}
      </dl>
      <div className={classes.support}>
        <div>
          <p className={classes.name} id="support-code">
            Support code
          </p>
          <code className={classes.code} aria-labelledby="support-code">
            {supportCode}
          </code>
        </div>
        <p className={classes.what}>
          Include this code when you contact support, so that we can find your licence. It gives no access to anything,
          so you can send it by email.
        </p>
        <CopyButton
          text={supportCode}
          label="Copy support code"
          successMessage="Support code has been copied to clipboard."
        />
      </div>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
