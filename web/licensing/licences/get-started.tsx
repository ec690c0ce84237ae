import { Anchor, Card, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { paths } from "#web/platform/paths.ts";
import { StepMark } from "#web/ui/step-mark.tsx";
import type { OwnLicence } from "./licences-table.tsx";

interface Step {
  label: string;
  isDone: boolean;
  /** Link of the step while it is the current one. */
  link?: { to: string } | { href: string; download: true };
}

/** Returns the steps of a new account, up to the first conversion. */
function buildSteps(licences: readonly OwnLicence[], canTry: boolean): Step[] {
  const hasDevice = licences.some(({ devices }) => devices.length > 0);
  const hasConverted = licences.some(
    ({ usageLimit, usageRemaining }) => usageLimit != null && usageRemaining != null && usageRemaining < usageLimit,
  );
  const start = canTry ? paths.trial : paths.manageSubscription;
  return [
    { label: "Confirm your email", isDone: true },
    {
      label: canTry ? "Start the trial or choose a plan" : "Choose a plan",
      isDone: licences.length > 0,
      link: { to: start.href() },
    },
    { label: "Download the add-in", isDone: hasDevice, link: { href: brand.installerPath, download: true } },
    { label: "Activate it with your licence code", isDone: hasDevice, link: { to: paths.licences.href() } },
    { label: "Convert your first schedule", isDone: hasConverted, link: { to: paths.tutorials.href() } },
  ];
}

/** Returns whether the steps are still useful: no device is active yet. */
export function isNewAccount(licences: readonly OwnLicence[]): boolean {
  return licences.every(({ devices, status }) => devices.length === 0 && status === "ACTIVE");
}

/** Shows a new customer what to do next, up to the first conversion. */
export function GetStarted({ licences, canTry }: { licences: readonly OwnLicence[]; canTry: boolean }) {
  const steps = buildSteps(licences, canTry);
  const current = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Card component="section" aria-label="Get started" withBorder padding="lg" radius="lg">
      <Title order={2} size="h3" mb="md">
        Get started
      </Title>
      <Stack component="ol" gap="sm" m={0} p={0}>
        {steps.map(({ label, isDone, link }, index) => (
          <Group
            key={label}
            component="li"
            gap="sm"
            wrap="nowrap"
            aria-current={index === current ? "step" : undefined}
          >
            <StepMark number={index + 1} state={isDone ? "done" : index === current ? "current" : "open"} />
            <Text fw={index === current ? 620 : 450} c={isDone ? "dimmed" : undefined}>
              {index === current && link ? <StepLink link={link}>{label}</StepLink> : label}
            </Text>
            {isDone && (
              <Text size="sm" c="dimmed" ms="auto">
                Done
              </Text>
            )}
          </Group>
        ))}
      </Stack>
    </Card>
  );
}

function StepLink({ link, children }: { link: NonNullable<Step["link"]>; children: string }) {
  if ("to" in link)
    return (
      <Anchor component={Link} to={link.to}>
        {children}
      </Anchor>
    );
  return <Anchor {...link}>{children}</Anchor>;
}
