import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { formatNumber } from "#schema/numbers.ts";
import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { paths } from "#web/platform/paths.ts";
import { useCancelBulkRunMutation } from "#web/generated/graphql.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { Button, LinkButton } from "#web/ui/button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { formatDateTime } from "#schema/dates.ts";
import { notify } from "#web/platform/notifications.ts";
import { saveAsFile } from "#web/ui/save-as-file.ts";
import { nameOfKind, type ShownRun } from "./bulk-runs-table.tsx";
import classes from "./bulk.module.css";
import { RunBadge } from "./bulk-state.tsx";
import { StartDialog } from "./start-dialog.tsx";

const separators: Readonly<Record<string, string>> = { ",": "commas", ";": "semicolons", "\t": "tabs" };

/** Where a run stands, what its file was read as, and what can be done with it. */
export function BulkRunView({ run }: { run: ShownRun }) {
  const isAhead = run.state === "checking" || run.state === "ready";
  const facts = [
    ["Rows", run.planned + run.faulty],
    [isAhead ? "To be carried out" : "Carried out", isAhead ? run.planned : run.done],
    ["Left out", run.faulty],
    ...(run.failed > 0 ? [["Failed", run.failed] as const] : []),
  ] as const;
  return (
    <section className={classes.standing} aria-label="Standing">
      <div className={classes.top}>
        <h2 className={classes.kind}>{nameOfKind(run.kind)}</h2>
        <RunBadge state={run.state} />
        <span className={classes.who}>
          {run.startedAt && "Started by "}
          {run.createdByName.replace(/ <.*$/, "")}, {formatDateTime(run.startedAt ?? run.createdAt)}
        </span>
      </div>
      <Progress run={run} />
      {run.state !== "refused" && (
        <dl className={classes.facts}>
          {facts.map(([name, count]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{formatNumber(count)}</dd>
            </div>
          ))}
        </dl>
      )}
      <FileFacts run={run} />
      {run.faults.length > 0 && (
        <Callout tone="critical">
          {run.faults.map((fault) => (
            <p key={fault}>{fault}</p>
          ))}
          <p>Mend the file and start again. Nothing was changed.</p>
        </Callout>
      )}
      {run.notes.length > 0 && (
        <Callout tone="notice">
          {run.notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </Callout>
      )}
      <Actions run={run} />
    </section>
  );
}

function FileFacts({ run }: { run: ShownRun }) {
  const read = run.encoding && run.separator && `Read as ${run.encoding}, with ${separators[run.separator]}`;
  const words = [run.fileName, read, ...run.terms].filter(Boolean);
  return words.length > 0 && <p className={classes.terms}>{words.join(" · ")}</p>;
}

function Progress({ run }: { run: ShownRun }) {
  const words: Readonly<Record<string, string>> = {
    checking: `Checking the rows: ${run.progress} %`,
    running: `${formatNumber(run.done + run.failed)} of ${formatNumber(run.planned)} rows carried out`,
  };
  const said = words[run.state];
  if (!said) return null;
  return (
    <div className={classes.progress}>
      <progress value={run.progress} max={100} aria-label={run.state === "checking" ? "Checking" : "Carrying out"} />
      <p>{said}. You can leave this page; the work goes on.</p>
    </div>
  );
}

function Actions({ run }: { run: ShownRun }) {
  const [asked, setAsked] = useState<"start" | "cancel" | null>(null);
  const [cancel] = useCancelBulkRunMutation();
  const isOpen = ["checking", "ready", "running"].includes(run.state);

  async function download() {
    notify.clearErrors();
    try {
      const answer = await fetchFromApi(`/v1/admin/bulk-runs/${run.id}/result`, "text/csv");
      const [, name = "Bulk-work.csv"] =
        /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "") ?? [];
      saveAsFile(name, await answer.blob(), "text/csv");
    } catch (error) {
      notify.failure(error, "Unable to download the result file.");
    }
  }

  async function confirmCancel() {
    try {
      await cancel({ variables: { id: run.id } });
      setAsked(null);
    } catch (error) {
      notify.failure(error, "Unable to cancel the bulk run.");
    }
  }

  return (
    <div className={classes.actions}>
      {run.state === "ready" && run.planned > 0 && <Button onClick={() => setAsked("start")}>Start the Run</Button>}
      {(run.state === "refused" || (run.state === "ready" && run.planned === 0)) && (
        <LinkButton to={paths.newBulkRun.href()}>New Bulk Run</LinkButton>
      )}
      {run.state !== "checking" && run.state !== "refused" && !run.rowsRemovedAt && (
        <BusyButton
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.8} aria-hidden="true" />}
          onPress={download}
        >
          Download Result File
        </BusyButton>
      )}
      {isOpen && (
        <Button variant="default" onClick={() => setAsked("cancel")}>
          {run.state === "running" ? "Cancel the Run" : "Discard"}
        </Button>
      )}
      <StartDialog run={run} opened={asked === "start"} onClose={() => setAsked(null)} />
      <ConfirmDialog
        opened={asked === "cancel"}
        title={run.state === "running" ? "Cancel the Run?" : "Discard This Run?"}
        danger
        onConfirm={confirmCancel}
        onCancel={() => setAsked(null)}
      >
        {run.state === "running"
          ? "Rows that were carried out stay so; the others are left as they are. A cancelled run can't be resumed."
          : "Nothing has been changed, and nothing will be."}
      </ConfirmDialog>
    </div>
  );
}
