import { Card, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { ActivateOfflineMutation } from "#web/generated/graphql.ts";
import { StepMark } from "#web/ui/step-mark.tsx";
import { LicenceFileReady } from "./licence-file-ready.tsx";
import { RequestFileForm } from "./request-file-form.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

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
      <Card withBorder padding="var(--xp-panel-padding)" radius="lg" shadow="sm">
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
