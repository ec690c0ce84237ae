import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { notify } from "#web/platform/notifications.ts";
import { saveAsFile } from "#web/ui/save-as-file.ts";

/**
 * Downloads a report under the name that the api gives it, and says how it went. Given up by `signal`,
 * it says nothing.
 * @param onReceived told now and then how many bytes have come; nobody knows how many there will be
 */
export async function downloadReport(
  path: string,
  request: object,
  signal: AbortSignal,
  onReceived: (bytes: number) => void = () => {},
): Promise<void> {
  notify.clearErrors();
  try {
    const answer = await fetchFromApi(path, "*/*", {
      body: { content: JSON.stringify(request), type: "application/json" },
      signal,
    });
    const type = answer.headers.get("content-type") ?? "application/octet-stream";
    saveAsFile(fileNameIn(answer.headers.get("content-disposition")), await contentOf(answer, onReceived), type);
    notify.success("The report has been exported successfully.");
  } catch (error) {
    if (!signal.aborted) notify.failure(error, "Unable to download the report.");
  }
}

function fileNameIn(disposition: string | null): string {
  return /filename="?([^";]+)"?/i.exec(disposition ?? "")?.[1] ?? "report.xlsx";
}

/** So often a person is told how far it is, at most. */
const TOLD_EVERY_MS = 200;

async function contentOf(answer: Response, onReceived: (bytes: number) => void): Promise<Blob> {
  const parts: BlobPart[] = [];
  const reader = answer.body?.getReader();
  let bytes = 0;
  let toldAt = 0;
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) return new Blob(parts);
    parts.push(part.value);
    bytes += part.value.length;
    if (performance.now() - toldAt < TOLD_EVERY_MS) continue;
    toldAt = performance.now();
    onReceived(bytes);
  }
}
