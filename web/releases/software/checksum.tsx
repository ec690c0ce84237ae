import { IconCopy } from "@tabler/icons-react";
import { IconButton } from "#web/ui/button.tsx";
import { copyText } from "#web/ui/copy-button.tsx";
import classes from "./software.module.css";

/** The beginning of a file's SHA-256, and a button that copies all of it. */
export function Checksum({ sha256, of }: { sha256: string; of: string }) {
  return (
    <span className={classes.checksum}>
      <code title={sha256}>{sha256.slice(0, 12)}…</code>
      <IconButton
        label={`Copy SHA-256 of ${of}`}
        onClick={() => void copyText(sha256, "SHA-256 has been copied to clipboard.")}
      >
        <IconCopy size={16} stroke={1.8} aria-hidden="true" />
      </IconButton>
    </span>
  );
}
