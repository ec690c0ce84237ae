import { act, fireEvent, screen } from "@testing-library/react";

/** Returns the field with that label. */
export const field = (label: string): HTMLInputElement => screen.getByLabelText(label);

/** Types into text fields and chooses options of selects, by label. */
export function fill(values: Record<string, string>): void {
  for (const [label, value] of Object.entries(values)) fireEvent.change(field(label), { target: { value } });
}

/** Returns the error message associated with a field, as screen readers announce it, or null if there is none. */
export function messageUnder(control: HTMLElement): string | null {
  if (control.getAttribute("aria-invalid") !== "true") return null;
  const ids = control.getAttribute("aria-describedby")?.split(" ") ?? [];
  const id = ids.find((one) => one.includes("error")) ?? ids[0];
  return (id && document.getElementById(id)?.textContent) || null;
}

/** Drops files on the zone of the field with a label. */
export async function dropFiles(label: string, ...files: File[]): Promise<void> {
  const zone = field(label).parentElement as HTMLElement;
  const items = files.map((file) => ({ kind: "file", type: file.type, getAsFile: () => file }));
  await act(async () => fireEvent.drop(zone, { dataTransfer: { files, items, types: ["Files"] } }));
}
