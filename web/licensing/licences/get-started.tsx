import { Anchor, Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { paths } from "#web/platform/paths.ts";
import { browserStorage, KEPT_PREFIX } from "#web/platform/storage.ts";
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
    { label: "Convert your first schedule", isDone: false, link: { to: paths.tutorials.href() } },
  ];
}

const NEW_FOR_MS = 30 * 86_400_000;

/** Returns whether the steps are still useful: the licences are new, and nothing was converted yet. */
function isNewAccount(licences: readonly OwnLicence[]): boolean {
  const isNew = ({ createdAt }: OwnLicence) => Date.now() - new Date(createdAt).getTime() < NEW_FOR_MS;
  return licences.every((licence) => licence.status === "ACTIVE" && licence.usageCount === 0 && isNew(licence));
}

interface GetStartedProps {
  userId: string;
  licences: readonly OwnLicence[];
  canTry: boolean;
}

/** Shows a new customer what to do next, until the first conversion or until the customer closes it. */
export function GetStarted({ userId, licences, canTry }: GetStartedProps) {
  const key = `${KEPT_PREFIX}get-started-closed.${userId.slice(0, 8)}`;
  const [isClosed, setClosed] = useState(() => browserStorage.get(key) !== null);
  if (isClosed || !isNewAccount(licences)) return null;
  const close = () => {
    browserStorage.set(key, "true");
    setClosed(true);
    document.getElementById("main")?.focus({ preventScroll: true });
  };
  const steps = buildSteps(licences, canTry);
  const current = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Card component="section" aria-label="Get started" withBorder padding="lg" radius="lg">
      <Group justify="space-between" wrap="nowrap" mb="md">
        <Title order={2} size="h3">
          Get started
        </Title>
        <Button variant="subtle" size="compact-sm" onClick={close}>
          Close
        </Button>
      </Group>
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
