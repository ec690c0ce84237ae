import { Badge, Card, Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { needsSeat } from "#schema/licence-types.ts";
import type { LicenceHistoryQuery } from "#web/generated/graphql.ts";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { FactGrid } from "#web/ui/fact-cards.tsx";
import { describePeriodEnd, LicenceStatusBadge } from "./licence-expiry.tsx";
import { Moment } from "#web/ui/moment.tsx";

/** Shows the current status of a licence and its support code. */
export function LicenceStatusCard({ licence }: { licence: LicenceHistoryQuery["licence"] }) {
  const { devices, leases, numberOfMachines, numberOfUsers, supportCode, usageLimit, usageRemaining } = licence;
  const end = describePeriodEnd(licence);
  const facts: [name: string, value: ReactNode][] = [
    [end.label, <Moment key="end" at={licence.periodEndsAt} as={end.format} />],
    ["Devices", `${devices.length} of ${numberOfMachines} in use`],
  ];
  if (needsSeat(licence.licenceActivationType)) facts.push(["Seats", `${leases.length} of ${numberOfUsers} in use`]);
  if (typeof usageLimit === "number") facts.push(["Conversions left", `${usageRemaining} of ${usageLimit}`]);
  return (
    <Card component="section" aria-label="This licence" withBorder padding="lg" radius="lg" shadow="sm">
      <Stack gap="md" mb="lg">
        <Group gap="sm">
          <Title order={2} style={{ overflowWrap: "anywhere" }}>
            {licence.product} {licence.subscriptionLevel}
          </Title>
          {licence.status === "ACTIVE" ? <Badge>Active</Badge> : <LicenceStatusBadge status={licence.status} />}
        </Group>
        <FactGrid facts={facts} minWidth="12rem" />
      </Stack>
      <Card.Section withBorder inheritPadding py="md" bg="var(--xp-sunken)">
        <Group gap="sm" justify="space-between">
          <div>
            <Text size="sm" c="dimmed" id="support-code">
              Support code
            </Text>
            <Text
              component="code"
              ff="monospace"
              fz="lg"
              fw={600}
              aria-labelledby="support-code"
              style={{ userSelect: "all" }}
            >
              {supportCode}
            </Text>
          </div>
          <Text size="sm" c="dimmed" flex="1 1 18rem" maw="34rem">
            Include this code when you contact support, so that we can find your licence. It gives no access to
            anything, so you can send it by email.
          </Text>
          <CopyButton
            text={supportCode}
            label="Copy support code"
            successMessage="Support code has been copied to clipboard."
          />
        </Group>
      </Card.Section>
    </Card>
  );
}
