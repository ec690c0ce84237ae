import { Group, Paper, Progress as ProgressBar, Stack, Text, Title } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useRef } from "react";
import { formatNumber } from "#schema/numbers.ts";
import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { paths } from "#web/platform/paths.ts";
import { type BulkRunState, useCancelBulkRunMutation } from "#web/generated/graphql.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { confirmAction, useOpenDialog } from "#web/ui/dialogs.tsx";
import { notify } from "#web/platform/notifications.ts";
import { saveResponse } from "#web/platform/save-as-file.ts";
import { formatAdmin, formatKind, type BulkRunFields } from "./bulk-runs-table.tsx";
import { RunBadge } from "./bulk-state.tsx";
import { Moment } from "#web/ui/moment.tsx";

const separatorNames: Readonly<Record<string, string>> = { ",": "commas", ";": "semicolons", "\t": "tabs" };

/** Shows the status of a run, the detected file format and the available actions. */
export function BulkRunView({ run }: { run: BulkRunFields }) {
  const section = useRef<HTMLElement>(null);
  const isPlanned = run.state === "CHECKING" || run.state === "READY";
  const facts = [
    ["Rows", run.planned + run.faulty],
    [isPlanned ? "To process" : "Processed", isPlanned ? run.planned : run.done],
    ["Skipped", run.faulty],
    ...(run.failed > 0 ? [["Failed", run.failed] as const] : []),
  ] as const;
  return (
    <Paper
      component="section"
      ref={section}
      tabIndex={-1}
      aria-label="Status"
      withBorder
      radius="lg"
      shadow="sm"
      p="var(--xp-panel-padding)"
      mb="lg"
    >
      <Stack gap="lg">
        <Group gap="8px 16px">
          <Title order={2} size="h3">
            {formatKind(run.kind)}
          </Title>
          {/* Screen readers announce the next state, such as Done. */}
          <span role="status">
            <RunBadge run={run} />
          </span>
          <Text span c="dimmed" fz="sm">
            {run.startedAt && "Started by "}
            {formatAdmin(run)}, <Moment at={run.startedAt ?? run.createdAt} />
          </Text>
        </Group>
        <Progress run={run} />
        {run.state !== "REFUSED" && (
          <Group component="dl" gap="1rem 2.5rem" m={0}>
            {facts.map(([name, count]) => (
              <div key={name}>
                <Text component="dt" c="dimmed" fz="sm" fw={560}>
                  {name}
                </Text>
                <Text
                  component="dd"
                  m={0}
                  fz="1.75rem"
                  fw={640}
                  lh={1.2}
                  c={name === "Failed" ? "var(--xp-critical)" : undefined}
                >
                  {formatNumber(count)}
                </Text>
              </div>
            ))}
          </Group>
        )}
        <FileFacts run={run} />
        {run.faults.length > 0 && (
          <Callout tone="critical">
            {run.faults.map((fault) => (
              <p key={fault}>{fault}</p>
            ))}
            <p>Nothing was changed. Fix the file and create a new bulk run.</p>
          </Callout>
        )}
        {run.notes.length > 0 && (
          <Callout tone="notice">
            {run.notes.map((note) => (
              <p key={note}>{note}</p>
            ))}
          </Callout>
        )}
        {/* The pressed button disappears. */}
        <Actions run={run} onDone={() => section.current?.focus({ preventScroll: true })} />
      </Stack>
    </Paper>
  );
}

function FileFacts({ run }: { run: BulkRunFields }) {
  const format =
    run.encoding && run.separator && `Read as ${run.encoding}, separated by ${separatorNames[run.separator]}`;
  const facts = [run.fileName, format, ...run.terms].filter(Boolean);
  return (
    facts.length > 0 && (
      <Text c="dimmed" fz="sm" data-break="anywhere">
        {facts.join(" · ")}
      </Text>
    )
  );
}

function Progress({ run }: { run: BulkRunFields }) {
  const labels: Partial<Record<BulkRunState, string>> = {
    CHECKING: `Checking the rows: ${run.progress}%`,
    RUNNING: `${formatNumber(run.done + run.failed)} of ${formatNumber(run.planned)} rows processed`,
  };
  const label = labels[run.state];
  if (!label) return null;
  return (
    <Stack gap="xs">
      <ProgressBar
        value={run.progress}
        aria-label={run.state === "CHECKING" ? "Checking" : "Processing"}
        transitionDuration={400}
      />
      <Text c="dimmed" fz="sm">
        {label}. You can leave this page. The run continues in the background.
      </Text>
    </Stack>
  );
}

function Actions({ run, onDone }: { run: BulkRunFields; onDone: () => void }) {
  const openDialog = useOpenDialog();
  const [cancel] = useCancelBulkRunMutation();
  const isCancellable = ["CHECKING", "READY", "RUNNING"].includes(run.state);

  async function download() {
    notify.clearErrors();
    try {
      const response = await fetchFromApi(`/v1/admin/bulk-runs/${run.id}/result`, "text/csv");
      saveResponse(response, await response.blob());
    } catch (error) {
      notify.failure(error, "Unable to download the result file.");
    }
  }

  const confirmCancel = () =>
    confirmAction({
      title: run.state === "RUNNING" ? "Cancel this run?" : "Discard this run?",
      confirmLabel: run.state === "RUNNING" ? "Cancel run" : "Discard",
      cancelLabel: "Keep run",
      danger: true,
      text:
        run.state === "RUNNING"
          ? "Rows already processed keep their changes. The remaining rows aren't changed. A cancelled run can't be resumed."
          : "Nothing has been changed.",
      run: () => cancel({ variables: { id: run.id } }).then(onDone),
      failure: "Unable to cancel the bulk run.",
    });

  return (
    <Group gap="sm">
      {run.state === "READY" && run.planned > 0 && (
        <Button onClick={() => openDialog(() => import("./start-dialog.tsx"), { run, onStarted: onDone })}>
          Start run
        </Button>
      )}
      {(run.state === "REFUSED" || (run.state === "READY" && run.planned === 0)) && (
        <LinkButton to={paths.newBulkRun.href()}>New bulk run</LinkButton>
      )}
      {run.state !== "CHECKING" && run.state !== "REFUSED" && !run.rowsRemovedAt && (
        <BusyButton
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.8} aria-hidden="true" />}
          onPress={download}
        >
          Download result file
        </BusyButton>
      )}
      {run.startedAt && (
        <LinkButton variant="default" to={`${paths.auditLog.href()}?run=${run.id}`}>
          Changes in the audit log
        </LinkButton>
      )}
      {isCancellable && (
        <Button variant="default" onClick={confirmCancel}>
          {run.state === "RUNNING" ? "Cancel run" : "Discard run"}
        </Button>
      )}
    </Group>
  );
}
