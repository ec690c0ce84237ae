/** Hands something to the browser as a file to keep. */
export function saveAsFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has to have begun the download before its source may go.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
