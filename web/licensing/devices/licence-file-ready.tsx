import { Group, List, Stack, Text, Title } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { formatMachineName } from "#schema/machine-name.ts";
import { paths } from "#web/platform/paths.ts";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { saveAsFile } from "#web/platform/save-as-file.ts";
import type { OfflineActivationResult } from "./offline-activation.tsx";
import { Moment } from "#web/ui/moment.tsx";

/** Offers the licence file for download, with its expiry and the next steps. */
export function LicenceFileReady({ result, onAnother }: { result: OfflineActivationResult; onAnother: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { device, goodUntil, licenceFile, licenceId } = result;
  const machine = formatMachineName(device?.machineName ?? "the machine");
  const fileName = `licence-${machine.replace(/[^\p{L}\p{N}._-]+/gu, "-")}.lic`;
  const until = goodUntil && <Moment at={goodUntil} />;
  return (
    <Stack align="flex-start" style={{ overflowWrap: "anywhere" }}>
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
          Activate another machine
        </Button>
      </Group>
    </Stack>
  );
}
