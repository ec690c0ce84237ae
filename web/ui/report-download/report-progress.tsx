import { fileSize } from "#schema/numbers.ts";
import { Button } from "#web/ui/button.tsx";
import classes from "./report-progress.module.css";
import type { ReportDownload } from "./use-report-download.ts";

/** Says that a report is on its way, and gives it up when asked. */
export function ReportProgress({ download: { running, received, cancel } }: { download: ReportDownload }) {
  return (
    <div role="status">
      {running && (
        <div className={classes.strip}>
          <div className={classes.words}>
            <span>{running}</span>
            <progress className={classes.bar} aria-label={running} />
            {/* Read out, it would drown everything else. */}
            <span className={classes.received} aria-hidden="true">
              {received > 0 ? `${fileSize(received)} so far` : "Looking the rows up…"}
            </span>
          </div>
          <Button variant="default" size="sm" onClick={cancel}>
            Cancel Download
          </Button>
        </div>
      )}
    </div>
  );
}
