import { useEffect, useRef, useState } from "react";
import { downloadReport } from "./download-report.ts";

export interface ReportDownload {
  /** Label of the report, or null if no download is running. */
  readonly label: string | null;
  /** Bytes received so far. */
  readonly received: number;
  start: (label: string, path: string, request: object) => void;
  cancel: () => void;
}

/** Downloads one report at a time. Unmounting cancels the download. */
export function useReportDownload(): ReportDownload {
  const [running, setRunning] = useState<string | null>(null);
  const [received, setReceived] = useState(0);
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);

  return {
    label: running,
    received,
    start(label, path, request) {
      if (control.current) return;
      const mine = new AbortController();
      control.current = mine;
      setRunning(label);
      setReceived(0);
      void downloadReport(path, request, mine.signal, setReceived).finally(() => {
        control.current = null;
        setRunning(null);
      });
    },
    cancel: () => control.current?.abort(),
  };
}
