import { Box, Group, Paper, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { DownloadBody, DownloadPath, ExactBody } from "#schema/downloads.ts";
import { formatFileSize } from "#schema/numbers.ts";
import { rememberFocus } from "#web/platform/focus.ts";
import { notify } from "#web/platform/notifications.ts";
import { Button } from "#web/ui/button.tsx";
import { downloadReport } from "./download-report.ts";

export interface ReportDownload {
  readonly isRunning: boolean;
  /** Shows the progress of the download, with a button to cancel it. */
  readonly progress: ReactNode;
  /** Starts a download with the fields that the rules of its call have, and no others. */
  start: <Path extends DownloadPath, Body extends DownloadBody<Path>>(
    label: string,
    path: Path,
    request: ExactBody<Path, Body>,
  ) => void;
}

/** Downloads one report at a time. Unmounting cancels the download. */
export function useReportDownload(): ReportDownload {
  const [label, setLabel] = useState<string | null>(null);
  const [received, setReceived] = useState(0);
  const control = useRef<AbortController | null>(null);
  const returnFocus = useRef(() => {});
  useEffect(() => () => control.current?.abort(), []);
  // The button that cancels is gone after the download.
  useEffect(() => {
    if (label === null && document.activeElement === document.body) returnFocus.current();
  }, [label]);

  return {
    isRunning: label !== null,
    progress: (
      <div role="status">
        {label && <Progress label={label} received={received} onCancel={() => control.current?.abort()} />}
      </div>
    ),
    start(label, path, request) {
      if (control.current) return;
      const mine = new AbortController();
      control.current = mine;
      returnFocus.current = rememberFocus(document.activeElement);
      setLabel(label);
      setReceived(0);
      void downloadReport(path, request, mine.signal, setReceived)
        .catch((error: unknown) => {
          if (!mine.signal.aborted) notify.failure(error, "Unable to download the report.");
        })
        .finally(() => {
          control.current = null;
          setLabel(null);
        });
    },
  };
}

interface ProgressProps {
  label: string;
  /** Bytes received so far. */
  received: number;
  onCancel: () => void;
}

function Progress({ label, received, onCancel }: ProgressProps) {
  return (
    <Paper
      component={Group}
      withBorder
      radius="md"
      bg="var(--xp-sunken)"
      mb="md"
      px="md"
      py="sm"
      justify="space-between"
    >
      <Stack gap={6} flex="1 1 16rem" fz="sm" fw={560}>
        <span>{label}</span>
        <Box component="progress" w="100%" h="0.375rem" aria-label={label} style={{ accentColor: "var(--xp-brand)" }} />
        {/* Hidden from screen readers, which would announce every update. */}
        <Text span fz="xs" c="dimmed" aria-hidden="true">
          {received > 0 ? `${formatFileSize(received)} so far` : "Preparing the report…"}
        </Text>
      </Stack>
      <Button variant="default" size="sm" onClick={onCancel}>
        Cancel download
      </Button>
    </Paper>
  );
}
