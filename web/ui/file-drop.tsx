import { IconFile, IconFileUpload, IconX } from "@tabler/icons-react";
import { type DragEvent, useId, useRef, useState } from "react";
import { fileSize } from "#schema/numbers.ts";
import { Button, IconButton } from "./button.tsx";
import classes from "./file-drop.module.css";

export interface FileDropProps {
  label: string;
  /** Says what is expected, while nothing is chosen. */
  hint: string;
  /** Endings and types the browser's dialog offers, such as `.json,.txt`; what is dropped is not held to them. */
  accept?: string;
  /** The file that was chosen last; its size in bytes, where that is worth telling. */
  chosen: { readonly name: string; readonly size?: number } | null;
  onFile: (file: File) => void;
  /** Takes the chosen file away again; without it there is no such button. */
  onRemove?: () => void;
  /** What is wrong with the file, or with there being none. */
  error?: string | undefined;
  /** Says `Optional` beside the label. */
  optional?: boolean;
}

/** Takes one file: dropped, or chosen by a button. What it holds is for the caller to judge. */
export function FileDrop(props: FileDropProps) {
  const { label, hint, accept, chosen, onFile, onRemove, error, optional = false } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [over, setOver] = useState(false);
  const [leftOut, setLeftOut] = useState(0);
  const described = [`${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");

  function take(files: FileList | null) {
    const [file, ...others] = files ?? [];
    if (file) {
      setLeftOut(others.length);
      onFile(file);
    }
    // The same file, mended in the meantime, may be chosen again.
    if (input.current) input.current.value = "";
  }

  function drag(event: DragEvent, isOver: boolean) {
    event.preventDefault();
    setOver(isOver);
  }

  function remove() {
    setLeftOut(0);
    onRemove?.();
    // Its own button goes.
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
      {/* Dropping is for the pointer; the button does the same for everybody. */}
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
              {chosen.size !== undefined && <span>{fileSize(chosen.size)}</span>}
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
          // The button is the stop of the Tab key; a form with faults puts the focus here.
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
          {chosen ? "Choose Another" : "Choose a File"}
        </Button>
        <p role="status" className={classes.note}>
          {leftOut > 0 && "One file is taken here: the first. The others were left out."}
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
