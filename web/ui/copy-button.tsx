import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { rememberFocus } from "#web/platform/focus.ts";
import { notify } from "#web/platform/notifications.ts";
import { Button, type ButtonProps } from "./button.tsx";

/**
 * Copies text to the clipboard and shows a notification.
 * @param said notification on success, e.g. 'Licence code has been copied to clipboard.'
 * @returns false if the browser blocked it, after an error notification
 */
export async function copyText(text: string, said: string): Promise<boolean> {
  try {
    await writeClipboard(text);
    notify.success(said);
    return true;
  } catch {
    notify.error("Your browser blocked copying. Please select the text and copy it manually.");
    return false;
  }
}

async function writeClipboard(text: string): Promise<void> {
  // Pages without TLS, such as on a company's own network, have no clipboard API.
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  const returnFocus = rememberFocus(document.activeElement);
  (document.activeElement?.closest("[role=dialog]") ?? document.body).append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  returnFocus();
  if (!copied) throw new Error("The browser refused to copy.");
}

export interface CopyButtonProps extends Pick<ButtonProps, "variant" | "size"> {
  text: string;
  /** Default `Copy`. */
  label?: string;
  /** Notification on success. */
  successMessage: string;
}

export function CopyButton({ text, label = "Copy", successMessage, variant = "default", size }: CopyButtonProps) {
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
      onClick={() => void copyText(text, successMessage).then(setCopied)}
    >
      {label}
    </Button>
  );
}
