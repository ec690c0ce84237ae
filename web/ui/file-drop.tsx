import { IconFileUpload } from "@tabler/icons-react";
import { type DragEvent, useId, useRef, useState } from "react";
import { Button } from "./button.tsx";
import classes from "./file-drop.module.css";

export interface FileDropProps {
  label: string;
  /** Says what is expected, under the label. */
  hint: string;
  /** Endings and types the browser's dialog offers, such as `.json,.txt`; what is dropped is not held to them. */
  accept?: string;
  /** Name of the file that was chosen last. */
  chosen: string | null;
  onFile: (file: File) => void;
}

/** Takes one file: dropped, or chosen by a button. What it holds is for the caller to judge. */
export function FileDrop({ label, hint, accept, chosen, onFile }: FileDropProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);

  function take(files: FileList | null) {
    const file = files?.[0];
    if (file) onFile(file);
    // The same file, mended in the meantime, may be chosen again.
    if (input.current) input.current.value = "";
  }

  function drag(event: DragEvent, isOver: boolean) {
    event.preventDefault();
    setOver(isOver);
  }

  return (
    <div className={classes.field}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      {/* Dropping is for the pointer; the button does the same for everybody. */}
      <div
        className={classes.zone}
        data-over={over || undefined}
        onDragEnter={(event) => drag(event, true)}
        onDragOver={(event) => drag(event, true)}
        onDragLeave={(event) => drag(event, false)}
        onDrop={(event) => {
          drag(event, false);
          take(event.dataTransfer.files);
        }}
      >
        <IconFileUpload className={classes.icon} size={26} stroke={1.6} aria-hidden="true" />
        <p id={`${id}-hint`} className={classes.hint}>
          {chosen ? (
            <>
              <b>{chosen}</b>
              <br />
              Drop another file here to replace it.
            </>
          ) : (
            hint
          )}
        </p>
        <input
          ref={input}
          id={id}
          type="file"
          className={classes.input}
          tabIndex={-1}
          accept={accept}
          aria-describedby={`${id}-hint`}
          onChange={(event) => take(event.currentTarget.files)}
        />
        <Button variant="default" size="sm" aria-describedby={`${id}-hint`} onClick={() => input.current?.click()}>
          {chosen ? "Choose Another" : "Choose a File"}
        </Button>
      </div>
    </div>
  );
}
