import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { notify } from "#web/platform/notifications.ts";
import { Button, type ButtonProps } from "./button.tsx";

/**
 * Writes text to the clipboard and says so.
 * @param said the sentence shown on success, e.g. 'Licence code has been copied to clipboard.'
 * @returns false when the browser refused; the person has been told then.
 */
export async function copyText(text: string, said: string): Promise<boolean> {
  try {
    await writeClipboard(text);
    notify.success(said);
    return true;
  } catch {
    notify.error("Your browser did not allow copying. Please select the text and copy it yourself.");
    return false;
  }
}

async function writeClipboard(text: string): Promise<void> {
  // Pages served without TLS, as on a company's own network, have no clipboard API.
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  (document.querySelector("[role=dialog]") ?? document.body).append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (!copied) throw new Error("The browser refused to copy.");
}

export interface CopyButtonProps extends Pick<ButtonProps, "variant" | "size"> {
  /** What is copied. */
  text: string;
  /** The button's words, default `Copy`. */
  label?: string;
  /** The sentence shown on success. */
  said: string;
}

/** A button that copies a text. */
export function CopyButton({ text, label = "Copy", said, variant = "default", size }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Button
      variant={variant}
      size={size}
      leftSection={<Icon size={18} stroke={1.8} aria-hidden="true" />}
      onClick={() => void copyText(text, said).then(setCopied)}
    >
      {label}
    </Button>
  );
}
