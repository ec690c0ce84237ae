import { fetchFromApi } from "#web/app/fetch-from-api.ts";
import { notify } from "#web/ui/notifications.ts";
import { saveAsFile } from "#web/ui/save-as-file.ts";

/**
 * Downloads a report under the name that the api gives it, and says how it went (spec, admin §8). Given up by `signal`,
 * it says nothing.
 */
export async function downloadReport(path: string, request: object, signal: AbortSignal): Promise<void> {
  notify.clearErrors();
  try {
    const answer = await fetchFromApi(path, "*/*", {
      body: { content: JSON.stringify(request), type: "application/json" },
      signal,
    });
    const type = answer.headers.get("content-type") ?? "application/octet-stream";
    saveAsFile(fileNameIn(answer.headers.get("content-disposition")), await answer.blob(), type);
    notify.success("The report has been exported successfully.");
  } catch (error) {
    if (!signal.aborted) notify.failure(error, "Unable to download the report.");
  }
}

function fileNameIn(disposition: string | null): string {
  return /filename="?([^";]+)"?/i.exec(disposition ?? "")?.[1] ?? "report.xlsx";
}
