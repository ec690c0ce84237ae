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
