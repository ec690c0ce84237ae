import { fileSize } from "#schema/numbers.ts";
import { Button } from "#web/ui/button.tsx";
import classes from "./report-progress.module.css";
import type { ReportDownload } from "./use-report-download.ts";

/** Shows the progress of a report's download, with a button to cancel it. */
export function ReportProgress({ download: { running, received, cancel } }: { download: ReportDownload }) {
  return (
    <div role="status">
      {running && (
        <div className={classes.strip}>
          <div className={classes.words}>
            <span>{running}</span>
            <progress className={classes.bar} aria-label={running} />
            {/* Hidden from screen readers, which would announce every update. */}
            <span className={classes.received} aria-hidden="true">
              {received > 0 ? `${fileSize(received)} so far` : "Preparing the report…"}
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
