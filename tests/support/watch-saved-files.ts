import { vi } from "vitest";

/** Returns a list that collects the files that a page saves, with their names. jsdom doesn't implement object URLs. */
export function watchSavedFiles(): { readonly name: string; readonly text: Promise<string> }[] {
  const files: { name: string; text: Promise<string> }[] = [];
  let saved: Blob | null = null;
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => {
      saved = blob;
      return "blob:1";
    },
    revokeObjectURL: () => undefined,
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
    if (saved) files.push({ name: this.download, text: saved.text() });
  });
  return files;
}
