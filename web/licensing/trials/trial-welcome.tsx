import { IconDownload } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { brand } from "#schema/brand.ts";
import { paths } from "#web/platform/paths.ts";
import { formatInstaller } from "#web/releases/software/format-installer.ts";
import { LICENCE_CODE_COPIED, LicenceCode } from "#web/licensing/licences/licence-code.tsx";
import type { StartTrialMutation, TrialEligibilityQuery } from "#web/generated/graphql.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { formatDateTime } from "#schema/dates.ts";
import { LinkButton } from "#web/ui/button.tsx";
import classes from "./trial.module.css";

/** Shown after a trial has started: the licence code, the installer and support. */
export function TrialWelcome({
  licence,
  installer,
}: {
  licence: StartTrialMutation["startTrial"];
  /** Null if no installer is published. */
  installer: TrialEligibilityQuery["installer"];
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { support } = brand.mailboxes;
  return (
    <div className={classes.welcome}>
      <h2 ref={heading} tabIndex={-1}>
        Welcome to your trial of {brand.productName} Professional
      </h2>
      <p>
        It runs until {formatDateTime(licence.expiresAt)}
        {typeof licence.usageLimit === "number" &&
          `, or until ${licence.usageLimit} conversions are used, whichever comes first`}
        . We have also emailed you the licence code.
      </p>
      <ol className={classes.steps}>
        <li>
          <h3>Install the add-in</h3>
          {installer ? (
            <>
              <p>Close your planning program first, then run the installer.</p>
              <div className={classes.download}>
                <LinkButton href={brand.installerPath} download>
                  <IconDownload size={18} stroke={1.8} aria-hidden="true" />
                  Download
                </LinkButton>
                <span className={classes.facts}>Version {formatInstaller(installer)}</span>
              </div>
            </>
          ) : (
            <p>
              The installer can't be downloaded at the moment. Please come back to My Account later, or write to{" "}
              <a href={`mailto:${support.email}`}>{support.email}</a>.
            </p>
          )}
        </li>
        <li>
          <h3>Enter your licence code</h3>
          <p>Enter it when you first open the add-in. It activates one device.</p>
          <LicenceCode code={licence.licenceCode} />
          <CopyButton text={licence.licenceCode} label="Copy Licence Code" successMessage={LICENCE_CODE_COPIED} />
        </li>
        <li>
          <h3>Need a hand?</h3>
          <p>
            Write to <a href={`mailto:${support.email}`}>{support.email}</a>. Tell us which version of the planning
            program you use and what you see. Because of time zones, a reply may take a day.
          </p>
          <LinkButton variant="default" to={paths.myAccount.href()}>
            Go to My Account
          </LinkButton>
        </li>
      </ol>
    </div>
  );
}
