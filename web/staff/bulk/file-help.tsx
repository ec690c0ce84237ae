import { IconDownload } from "@tabler/icons-react";
import { formatNumber } from "#schema/numbers.ts";
import { type BulkKind, bulkColumns, bulkLimits } from "#schema/bulk.ts";
import { Button } from "#web/ui/button.tsx";
import { saveAsFile } from "#web/ui/save-as-file.ts";
import classes from "./bulk.module.css";

/** Explains the columns of a file and offers a template to download. */
export function FileHelp({ kind }: { kind: BulkKind }) {
  const columns = bulkColumns[kind];

  function download() {
    const cell = (text: string) => (/^[=+\-@]/.test(text) ? `'${text}` : text);
    const line = (cells: readonly string[]) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(",");
    const lines = [line(columns.map(({ label }) => label)), line(columns.map(({ example }) => cell(example)))];
    saveAsFile(`${kind}.csv`, `\ufeff${lines.join("\r\n")}\r\n`, "text/csv");
  }

  return (
    <div className={classes.help}>
      <p>
        CSV file with commas, semicolons or tabs, up to {formatNumber(bulkLimits.rows)} rows and 25 MB. The first row
        must contain the column names, in any order.
      </p>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconDownload size={16} stroke={1.8} aria-hidden="true" />}
        onClick={download}
      >
        Download template
      </Button>
      <details className={classes.columns}>
        <summary>Show columns</summary>
        <dl>
          {columns.map(({ name, label, required, hint, example }) => (
            <div key={name}>
              <dt>
                {label}
                {required && <span> · required</span>}
              </dt>
              <dd>{hint ?? (example ? `Such as ${example}` : "Optional.")}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
