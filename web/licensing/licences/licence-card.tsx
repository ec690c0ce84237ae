import { Badge, Button, Card, Group, Progress, Stack, Text, Title } from "@mantine/core";
import { IconCopy, IconDeviceDesktop, IconDownload, type IconProps } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { brand } from "#schema/brand.ts";
import { DAY_MS } from "#schema/dates.ts";
import { formatCount, formatNumber } from "#schema/numbers.ts";
import { isTrialLevel } from "#schema/product-level.ts";
import { paths } from "#web/platform/paths.ts";
import { copyText } from "#web/ui/copy-button.tsx";
import { LICENCE_CODE_COPIED } from "./licence-code.tsx";
import { describePeriodEnd, formatDevicesInUse, LicenceStatusBadge } from "./licence-expiry.tsx";
import type { OwnLicence } from "./licences-table.tsx";
import { Moment } from "#web/ui/moment.tsx";

const icon = { size: 17, stroke: 1.8, "aria-hidden": true } satisfies IconProps;

interface LicenceCardProps {
  licence: OwnLicence;
  hasInstaller: boolean;
  /** True if the customer hasn't paid an invoice by its due date. */
  hasOverdueInvoice: boolean;
}

/** Shows a licence's status, end, usage and devices, with the actions that customers need most. */
export function LicenceCard({ licence, hasInstaller, hasOverdueInvoice }: LicenceCardProps) {
  const { product, subscriptionLevel, status, licenceCode, id, numberOfMachines, devices } = licence;
  const period = describePeriodEnd(licence);
  const name = `${product} ${subscriptionLevel}`;
  const isUsedUp = status === "ACTIVE" && licence.usageRemaining === 0;
  return (
    <Card component="section" aria-label={`Licence ${name}`} padding="lg">
      <Stack gap="md" h="100%">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <div>
            <Title order={2} size="h3">
              {name}
            </Title>
            <Text size="sm" c="dimmed">
              {period.label} <Moment at={licence.periodEndsAt} as={period.format} />
            </Text>
          </div>
          <Group gap={6} justify="flex-end">
            {isUsedUp ? <Badge color="marigold">Conversions used up</Badge> : <LicenceStatusBadge status={status} />}
            {licence.renewal === "PAYMENT_DUE" && <Badge color="red">Payment overdue</Badge>}
            {hasOverdueInvoice && licence.renewal === "NONE" && <Badge color="red">Invoice overdue</Badge>}
          </Group>
        </Group>
        {isTrialLevel(licence.productLevel) && status === "ACTIVE" && <TrialProgress licence={licence} />}
        <Text size="sm">{formatDevicesInUse(devices.length, numberOfMachines)}</Text>
        <Group gap="xs" mt="auto">
          <Button
            size="sm"
            px="sm"
            variant="light"
            leftSection={<IconCopy {...icon} />}
            onClick={() => void copyText(licenceCode, LICENCE_CODE_COPIED)}
          >
            Copy Licence Code
          </Button>
          {hasInstaller && (
            <Button
              component="a"
              href={brand.installerPath}
              download
              size="sm"
              px="sm"
              variant="default"
              leftSection={<IconDownload {...icon} />}
            >
              Download Add-In
            </Button>
          )}
          <Button
            component={Link}
            to={paths.activatedDevices.href({ licenceId: id, userId: "account" })}
            size="sm"
            px="sm"
            variant="default"
            leftSection={<IconDeviceDesktop {...icon} />}
          >
            Manage Devices
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}

/** Shows how much of a trial's days and conversions is left. */
function TrialProgress({ licence }: { licence: OwnLicence }) {
  const { createdAt, expiresAt, usageLimit, usageRemaining } = licence;
  const [now] = useState(Date.now);
  const [start, end] = [Date.parse(createdAt), Date.parse(expiresAt)];
  const days = Math.max(0, Math.ceil((end - now) / DAY_MS));
  const totalDays = Math.max(days, Math.round((end - start) / DAY_MS));
  return (
    <Stack gap="xs" maw="32rem">
      {usageRemaining !== 0 && (
        <Remaining label={`${formatCount(days, "day")} left`} share={days / Math.max(1, totalDays)} />
      )}
      {usageLimit != null && usageRemaining != null && (
        <Remaining
          label={`${formatNumber(usageRemaining)} of ${formatNumber(usageLimit)} conversions left`}
          share={usageRemaining / Math.max(1, usageLimit)}
        />
      )}
    </Stack>
  );
}

function Remaining({ label, share }: { label: string; share: number }) {
  return (
    <div>
      <Text size="sm">{label}</Text>
      <Progress value={share * 100} color={share < 0.2 ? "marigold" : "spruce"} mt={4} aria-label={label} />
    </div>
  );
}
