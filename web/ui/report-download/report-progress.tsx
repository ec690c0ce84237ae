import { formatFileSize } from "#schema/numbers.ts";
import { Button } from "#web/ui/button.tsx";
import classes from "./report-progress.module.css";
import type { ReportDownload } from "./use-report-download.ts";

/** Shows the progress of a report's download, with a button to cancel it. */
export function ReportProgress({ download: { label, received, cancel } }: { download: ReportDownload }) {
  return (
    <div role="status">
      {label && (
        <div className={classes.strip}>
          <div className={classes.words}>
            <span>{label}</span>
            <progress className={classes.bar} aria-label={label} />
            {/* Hidden from screen readers, which would announce every update. */}
            <span className={classes.received} aria-hidden="true">
              {received > 0 ? `${formatFileSize(received)} so far` : "Preparing the report…"}
            </span>
          </div>
          <Button variant="default" size="sm" onClick={cancel}>
            Cancel download
          </Button>
        </div>
      )}
    </div>
  );
}
