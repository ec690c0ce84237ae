import { Card, Group, SimpleGrid, Stack, Text, List, Title } from "@mantine/core";
import { useState, useEffect, useRef } from "react";
import type { ActivateOfflineMutation } from "#web/generated/graphql.ts";
import { StepMark } from "#web/ui/step-mark.tsx";
import { RequestFileForm } from "./request-file-form.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { IconDownload } from "@tabler/icons-react";
import { formatMachineName } from "#schema/machine-name.ts";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { saveAsFile } from "#web/platform/save-as-file.ts";
import { Moment } from "#web/ui/moment.tsx";

/** Page for activating a device without an internet connection. */
export default function OfflineActivationPage() {
  return (
    <PageLayout
      title={paths.offlineActivation.title}
      lead="Activate a device without an internet connection: upload its request file and download a licence file."
      width="form"
      back={{ to: paths.licences.href(), label: "Licences" }}
    >
      <OfflineActivation />
    </PageLayout>
  );
}

export type OfflineActivationResult = ActivateOfflineMutation["activateOffline"];

/** Lets the user upload a request file and download the licence file for it. */
export function OfflineActivation() {
  const [ready, setReady] = useState<OfflineActivationResult | null>(null);
  return (
    <Stack gap="lg">
      <Steps current={ready ? 2 : 1} />
      <Card padding="var(--xp-panel-padding)" shadow="sm">
        {ready ? (
          <LicenceFileReady result={ready} onAnother={() => setReady(null)} />
        ) : (
          <RequestFileForm onActivated={setReady} />
        )}
      </Card>
    </Stack>
  );
}

const steps = [
  {
    title: "Save a request file",
    text: "In the add-in on the offline device, choose offline activation and save the request file.",
  },
  {
    title: "Upload it here",
    text: "Bring the file to this device, for example on a USB stick. You get a licence file to download.",
  },
  {
    title: "Open the licence file",
    text: "Open it in the add-in on the offline device. The add-in works without a connection until the file expires.",
  },
];

/** Shows the three steps. The first one happens in the add-in, before the user opens this page. */
function Steps({ current }: { current: number }) {
  return (
    <SimpleGrid role="list" minColWidth="13rem" spacing="lg">
      {steps.map(({ title, text }, index) => (
        <Group
          key={title}
          role="listitem"
          aria-current={index === current ? "step" : undefined}
          gap="sm"
          wrap="nowrap"
          align="flex-start"
        >
          <StepMark number={index + 1} state={index < current ? "done" : index === current ? "current" : "open"} />
          <div>
            <Text fw={600}>{title}</Text>
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          </div>
        </Group>
      ))}
    </SimpleGrid>
  );
}

/** Offers the licence file for download, with its expiry and the next steps. */
function LicenceFileReady({ result, onAnother }: { result: OfflineActivationResult; onAnother: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { device, goodUntil, licenceFile, licenceId } = result;
  const machine = formatMachineName(device?.machineName ?? "the device");
  const fileName = `licence-${machine.replace(/[^\p{L}\p{N}._-]+/gu, "-")}.lic`;
  const until = goodUntil && <Moment at={goodUntil} />;
  return (
    <Stack align="flex-start" data-break="anywhere">
      <Title order={2} ref={heading} tabIndex={-1}>
        The licence file for {machine} is ready
      </Title>
      <Text c="dimmed">
        It is valid until{" "}
        <Text span fw={600} c="bright">
          {until}
        </Text>
        . Until then, the device counts towards the device limit and can't be deactivated.
      </Text>
      <Button
        size="lg"
        leftSection={<IconDownload size={18} stroke={1.8} aria-hidden="true" />}
        onClick={() => saveAsFile(fileName, licenceFile ?? "", "application/octet-stream")}
      >
        Download {fileName}
      </Button>
      <List type="ordered" spacing={6} c="dimmed">
        <List.Item>Copy the file to {machine}.</List.Item>
        <List.Item>
          Open it in the add-in, where you saved the request file. No internet connection is needed.
        </List.Item>
        <List.Item>To use the add-in after that date, upload a new request file from the same device here.</List.Item>
      </List>
      <Group gap="sm">
        <LinkButton variant="default" to={paths.activatedDevices.href({ licenceId, userId: "account" })}>
          Manage Activated Devices
        </LinkButton>
        <Button variant="subtle" onClick={onAnother}>
          Activate another device
        </Button>
      </Group>
    </Stack>
  );
}
