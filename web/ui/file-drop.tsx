import { IconFile, IconFileUpload, IconX } from "@tabler/icons-react";
import { type DragEvent, useId, useRef, useState } from "react";
import { formatFileSize } from "#schema/numbers.ts";
import { Button, IconButton } from "./button.tsx";
import classes from "./file-drop.module.css";

export interface FileDropProps {
  label: string;
  /** Instructions shown until a file is chosen. */
  hint: string;
  /** Extensions and types that the browser's dialog offers, such as `.json,.txt`. Not applied to dropped files. */
  accept?: string;
  /** The last chosen file. `size` in bytes is optional. */
  chosen: { readonly name: string; readonly size?: number } | null;
  onFile: (file: File) => void;
  /** Removes the chosen file. Without it there is no button to remove it. */
  onRemove?: () => void;
  error?: string | undefined;
  /** Shows `Optional` next to the label. */
  optional?: boolean;
}

/** Accepts one file by dropping or from a file dialog. The caller validates it. */
export function FileDrop(props: FileDropProps) {
  const { label, hint, accept, chosen, onFile, onRemove, error, optional = false } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [over, setOver] = useState(false);
  const [ignoredCount, setIgnoredCount] = useState(0);
  const described = [`${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");

  function take(files: FileList | null) {
    const [file, ...others] = files ?? [];
    if (file) {
      setIgnoredCount(others.length);
      onFile(file);
    }
    // Reset the input, so that the same file can be chosen again after a correction.
    if (input.current) input.current.value = "";
  }

  function drag(event: DragEvent, isOver: boolean) {
    event.preventDefault();
    setOver(isOver);
  }

  function remove() {
    setIgnoredCount(0);
    onRemove?.();
    // The remove button disappears, so move the focus.
    button.current?.focus();
  }

  return (
    <div className={classes.field}>
      <div className={classes.head}>
        <label className={classes.label} htmlFor={id}>
          {label}
        </label>
        {optional && <span className={classes.optional}>Optional</span>}
      </div>
      {/* Drag and drop needs a pointer. The button works for everyone. */}
      <div
        className={classes.zone}
        data-over={over || undefined}
        data-chosen={chosen !== null || undefined}
        data-faulty={error !== undefined || undefined}
        onDragEnter={(event) => drag(event, true)}
        onDragOver={(event) => drag(event, true)}
        onDragLeave={(event) => drag(event, false)}
        onDrop={(event) => {
          drag(event, false);
          take(event.dataTransfer.files);
        }}
      >
        {chosen ? (
          <div className={classes.file}>
            <IconFile className={classes.icon} size={22} stroke={1.6} aria-hidden="true" />
            <p id={`${id}-hint`} className={classes.hint}>
              <b>{chosen.name}</b>
              {chosen.size !== undefined && <span>{formatFileSize(chosen.size)}</span>}
            </p>
            {onRemove && (
              <IconButton label={`Remove ${chosen.name}`} onClick={remove}>
                <IconX size={18} stroke={1.8} aria-hidden="true" />
              </IconButton>
            )}
          </div>
        ) : (
          <>
            <IconFileUpload className={classes.icon} size={26} stroke={1.6} aria-hidden="true" />
            <p id={`${id}-hint`} className={classes.hint}>
              {hint}
            </p>
          </>
        )}
        <input
          ref={input}
          id={id}
          type="file"
          className={classes.input}
          // Not a tab stop, because keyboard users have the button. A form with errors can still move the focus here.
          tabIndex={-1}
          accept={accept}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={described}
          onChange={(event) => take(event.currentTarget.files)}
        />
        <Button
          ref={button}
          variant="default"
          size="sm"
          aria-describedby={described}
          onClick={() => input.current?.click()}
        >
          {chosen ? "Choose another file" : "Choose a file"}
        </Button>
        <p role="status" className={classes.note}>
          {ignoredCount > 0 && "Only the first file was added. Choose one file at a time."}
        </p>
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}
