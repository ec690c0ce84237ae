import { Button } from "#web/ui/button.tsx";
import classes from "./report-progress.module.css";
import type { ReportDownload } from "./use-report-download.ts";

/** Says that a report is on its way, and gives it up when asked. */
export function ReportProgress({ download: { running, cancel } }: { download: ReportDownload }) {
  return (
    <div role="status">
      {running && (
        <div className={classes.strip}>
          <div className={classes.words}>
            <span>{running}</span>
            <progress className={classes.bar} aria-label={running} />
          </div>
          <Button variant="default" size="sm" onClick={cancel}>
            Cancel Download
          </Button>
        </div>
      )}
    </div>
  );
}
