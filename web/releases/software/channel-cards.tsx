import { Box, Button, Card, Divider, Group, Stack, Text, Title } from "@mantine/core";
import { IconArrowBackUp, IconDownload, IconPencil } from "@tabler/icons-react";
import { useId } from "react";
import { useStaffRole } from "#web/platform/staff-role.tsx";
import { formatFileSize, formatNumber } from "#schema/numbers.ts";
import type { SoftwareChannelFieldsFragment } from "#web/generated/graphql.ts";
import { formatDate } from "#schema/dates.ts";
import { BuildBadge, Checksum } from "./build-parts.tsx";
import { Facts, type FactsProps } from "#web/ui/fact-cards.tsx";
import { Moment } from "#web/ui/moment.tsx";

type Channel = SoftwareChannelFieldsFragment;
type ChannelActions = Readonly<Record<"onRollBack" | "onEditMinimum", (channel: Channel) => void>>;

/** Cards with the offered build of each stage, its minimum version and the rollback. */
export function ChannelCards({ channels, ...actions }: ChannelActions & { channels: readonly Channel[] }) {
  const offering = channels.filter(({ offered }) => offered);
  const idle = channels.filter(({ offered }) => !offered);
  return (
    <Stack>
      {[offering, idle].map(
        (some) =>
          some.length > 0 && (
            <Box
              key={some === idle ? "idle" : "offering"}
              component="ul"
              display="grid"
              m={0}
              p={0}
              style={{
                gap: "var(--mantine-spacing-md)",
                gridTemplateColumns: `repeat(auto-fill, minmax(min(100%, ${some === idle ? 13 : 20}rem), 1fr))`,
              }}
            >
              {some.map((channel) => (
                <ChannelCard key={channel.stage} channel={channel} {...actions} />
              ))}
            </Box>
          ),
      )}
    </Stack>
  );
}

function ChannelCard({ channel, onRollBack, onEditMinimum }: ChannelActions & { channel: Channel }) {
  const { stage, label, offered, previous, minimumVersion } = channel;
  const canEdit = useStaffRole("release");
  const nameId = useId();
  return (
    <Card
      component="li"
      aria-labelledby={nameId}
      shadow={offered ? "sm" : undefined}
      bg={offered ? undefined : "transparent"}
      bd={offered ? undefined : "1px dashed var(--xp-line-strong)"}
    >
      <Group justify="space-between" gap="sm" mb={offered ? "xs" : 4}>
        <Title order={3} size="h4" id={nameId}>
          {label}
        </Title>
        {offered && <BuildBadge state={offered.state} />}
      </Group>
      {offered ? (
        <Offered build={offered} signedUntil={channel.signedUntil} />
      ) : (
        <Text size="sm" c="dimmed">
          No build is offered.
        </Text>
      )}
      {stage === "PRODUCTION" && (
        <>
          <Divider my="sm" />
          <Group justify="space-between" gap="xs">
            <Text size="sm" c="dimmed">
              {minimumVersion ? (
                <>
                  Oldest version that may run:{" "}
                  <Text span inherit c="var(--xp-ink)" fw={600}>
                    {minimumVersion}
                  </Text>
                </>
              ) : (
                "Every version may run."
              )}
            </Text>
            {canEdit && (
              <Button
                variant="default"
                size="xs"
                leftSection={<IconPencil size={15} stroke={1.8} aria-hidden="true" />}
                onClick={() => onEditMinimum(channel)}
              >
                Set minimum version
              </Button>
            )}
          </Group>
        </>
      )}
      {canEdit && offered && previous && (
        <Button
          variant="default"
          size="sm"
          mt="auto"
          leftSection={<IconArrowBackUp size={17} stroke={1.8} aria-hidden="true" />}
          onClick={() => onRollBack(channel)}
        >
          Roll back to {previous.version}
        </Button>
      )}
    </Card>
  );
}

function Offered({ build, signedUntil }: Pick<Channel, "signedUntil"> & { build: NonNullable<Channel["offered"]> }) {
  const { version, publishedAt, sizeBytes, sha256, url, manifestUrl, downloads, fileName } = build;
  const installs = formatNumber(downloads.installer);
  const facts: FactsProps["facts"] = [
    ["Size", formatFileSize(sizeBytes)],
    ["Downloads", manifestUrl ? `${installs} · ${formatNumber(downloads.application)} via ClickOnce` : installs],
    ["SHA-256", <Checksum key="sum" sha256={sha256} of={fileName} />],
    ["Signed by", build.signer ?? "Not signed"],
    build.manifestToSign && [
      "Manifest",
      signedUntil ? (
        <>
          Valid until <Moment at={signedUntil} as={formatDate} />
        </>
      ) : (
        "Not signed. Add-ins get no update."
      ),
    ],
  ];
  return (
    <>
      <Text fz="1.75rem" fw={650} lh={1.2} mb="xs">
        {version}{" "}
        {publishedAt && (
          <Text span size="sm" fw={400} c="dimmed">
            since <Moment at={publishedAt} as={formatDate} />
          </Text>
        )}
      </Text>
      <Facts gap={4} labelWidth="6rem" facts={facts} />
      <Group gap="sm" my="sm" fz="sm" fw={560} c="var(--xp-brand)">
        <IconDownload size={17} stroke={1.8} aria-hidden="true" />
        {url && (
          <a href={url} download>
            Installer
          </a>
        )}
        {manifestUrl && (
          <a href={manifestUrl} download>
            .vsto
          </a>
        )}
      </Group>
    </>
  );
}
