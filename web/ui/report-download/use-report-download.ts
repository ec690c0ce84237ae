import { useEffect, useRef, useState } from "react";
import { downloadReport } from "./download-report.ts";

/** A report that is being written, by the words it is known by. */
export interface ReportDownload {
  /** Null while none is. */
  readonly running: string | null;
  /** Bytes that have come. */
  readonly received: number;
  start: (label: string, path: string, request: object) => void;
  cancel: () => void;
}

/** One download of a report at a time; it is given up when its place on the screen goes. */
export function useReportDownload(): ReportDownload {
  const [running, setRunning] = useState<string | null>(null);
  const [received, setReceived] = useState(0);
  const control = useRef<AbortController | null>(null);
  useEffect(() => () => control.current?.abort(), []);

  return {
    running,
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
