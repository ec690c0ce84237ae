import { Divider, Group, Stack, Text, Title } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { brand } from "#schema/brand.ts";
import { paths } from "#web/platform/paths.ts";
import { formatInstaller } from "#web/releases/software/format-installer.ts";
import { LICENCE_CODE_COPIED, LicenceCode } from "#web/licensing/licences/licence-code.tsx";
import type { StartTrialMutation, TrialEligibilityQuery } from "#web/generated/graphql.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { LinkButton } from "#web/ui/button.tsx";
import { StepMark } from "#web/ui/step-mark.tsx";
import { Moment } from "#web/ui/moment.tsx";

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
    <Stack gap="lg">
      <Stack gap="xs">
        <Title order={2} ref={heading} tabIndex={-1}>
          Welcome to your trial of {brand.productName} Professional
        </Title>
        <Text c="dimmed">
          It runs until <Moment at={licence.expiresAt} />
          {typeof licence.usageLimit === "number" &&
            `, or until ${licence.usageLimit} conversions are used, whichever comes first`}
          . We have also emailed you the licence code.
        </Text>
      </Stack>
      <Divider />
      <Stack component="ol" gap="lg" m={0} p={0}>
        <Step number={1} title="Install the add-in">
          {installer ? (
            <>
              <p>Close your planning program first, then run the installer.</p>
              <Group gap="sm">
                <LinkButton href={brand.installerPath} download>
                  <IconDownload size={18} stroke={1.8} aria-hidden="true" />
                  Download
                </LinkButton>
                <Text span size="sm">
                  Version {formatInstaller(installer)}
                </Text>
              </Group>
            </>
          ) : (
            <p>
              The installer can't be downloaded at the moment. Please come back to My Account later, or write to{" "}
              <a href={`mailto:${support.email}`}>{support.email}</a>.
            </p>
          )}
        </Step>
        <Step number={2} title="Enter your licence code">
          <p>Enter it when you first open the add-in. It activates one device.</p>
          <LicenceCode code={licence.licenceCode} />
          <div>
            <CopyButton text={licence.licenceCode} label="Copy Licence Code" successMessage={LICENCE_CODE_COPIED} />
          </div>
        </Step>
        <Step number={3} title="Need a hand?">
          <p>
            Write to <a href={`mailto:${support.email}`}>{support.email}</a>. Tell us which version of the planning
            program you use and what you see. Because of time zones, a reply may take a day.
          </p>
          <div>
            <LinkButton variant="default" to={paths.myAccount.href()}>
              Go to My Account
            </LinkButton>
          </div>
        </Step>
      </Stack>
    </Stack>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <StepMark number={number} />
      <Stack gap="xs" flex={1} miw={0} c="dimmed">
        <Title order={3} size="h4" c="bright" lh="1.75rem">
          {title}
        </Title>
        {children}
      </Stack>
    </Group>
  );
}
