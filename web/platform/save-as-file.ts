/** Saves content as a file with the browser's download. */
export function saveAsFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser must have started the download before the URL is revoked.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Saves the content of a response as a file, under the name that the API gives it. */
export function saveResponse({ headers }: Response, content: Blob): void {
  const [, name = "report.xlsx"] = /filename="?([^";]+)"?/i.exec(headers.get("content-disposition") ?? "") ?? [];
  saveAsFile(name, content, headers.get("content-type") ?? "application/octet-stream");
}
