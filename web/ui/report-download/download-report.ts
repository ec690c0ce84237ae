import type { DownloadBody, DownloadPath, ExactBody } from "#schema/downloads.ts";
import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { notify } from "#web/platform/notifications.ts";
import { saveResponse } from "#web/platform/save-as-file.ts";

/**
 * Downloads a report under the name that the API gives it and shows a notification.
 * @param onReceived called at intervals with the bytes received so far; the total isn't known
 * @throws as {@link fetchFromApi}, also if `signal` cancels the download
 */
export async function downloadReport<Path extends DownloadPath, Body extends DownloadBody<Path>>(
  path: Path,
  request: ExactBody<Path, Body>,
  signal?: AbortSignal,
  onReceived: (bytes: number) => void = () => {},
): Promise<void> {
  notify.clearErrors();
  const body = { content: JSON.stringify(request), type: "application/json" };
  const response = await fetchFromApi(path, "*/*", { body, signal });
  saveResponse(response, await readContent(response, onReceived));
  notify.success("The report has been exported successfully.");
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
