import type { DownloadBody, DownloadPath, ExactBody } from "#schema/downloads.ts";
import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { notify } from "#web/platform/notifications.ts";
import { saveResponse } from "#web/platform/save-as-file.ts";

/**
 * Downloads a report under the name that the API gives it and shows a notification. Shows none if `signal` cancels the
 * download. Returns whether the report was saved.
 * @param onReceived called at intervals with the bytes received so far; the total isn't known
 */
export async function downloadReport<Path extends DownloadPath, Body extends DownloadBody<Path>>(
  path: Path,
  request: ExactBody<Path, Body>,
  signal: AbortSignal,
  onReceived: (bytes: number) => void = () => {},
): Promise<boolean> {
  notify.clearErrors();
  try {
    const response = await fetchFromApi(path, "*/*", {
      body: { content: JSON.stringify(request), type: "application/json" },
      signal,
    });
    saveResponse(response, await readContent(response, onReceived));
    notify.success("The report has been exported successfully.");
    return true;
  } catch (error) {
    if (!signal.aborted) notify.failure(error, "Unable to download the report.");
    return false;
  }
}

/** Shortest time between two progress updates, in milliseconds. */
const PROGRESS_INTERVAL_MS = 200;

async function readContent(response: Response, onReceived: (bytes: number) => void): Promise<Blob> {
  const parts: BlobPart[] = [];
  const reader = response.body?.getReader();
  let bytes = 0;
  let lastUpdateAt = 0;
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) return new Blob(parts);
    parts.push(part.value);
    bytes += part.value.length;
    if (performance.now() - lastUpdateAt < PROGRESS_INTERVAL_MS) continue;
    lastUpdateAt = performance.now();
    onReceived(bytes);
  }
}
