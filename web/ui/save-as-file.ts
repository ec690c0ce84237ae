/** Hands a text to the browser as a file to keep. */
export function saveAsFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has to have begun the download before its source may go.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
