import { Button, CloseButton, Group, Input, Stack, Text, ThemeIcon } from "@mantine/core";
import { Dropzone } from "@mantine/dropzone";
import { IconFile, IconFileUpload } from "@tabler/icons-react";
import { type MouseEvent, useId, useRef, useState } from "react";
import { formatFileSize } from "#schema/numbers.ts";
import formClasses from "./form/form.module.css";

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
  const button = useRef<HTMLButtonElement>(null);
  const [ignoredCount, setIgnoredCount] = useState(0);
  const described = [`${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");

  function take([file, ...others]: File[]) {
    if (!file) return;
    setIgnoredCount(others.length);
    onFile(file);
  }

  function remove(event: MouseEvent) {
    // A click on the zone opens the file dialog.
    event.stopPropagation();
    setIgnoredCount(0);
    onRemove?.();
    // The remove button disappears, so move the focus.
    button.current?.focus();
  }

  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={optional && <span className={formClasses.optional}>Optional</span>}
      error={error}
    >
      <Dropzone
        onDrop={take}
        activateOnKeyboard={false}
        enablePointerEvents
        // Keyboard users have the button. A form with errors moves the focus to the input.
        inputProps={{
          id,
          // The label names the input. Without this, it would be "file upload".
          "aria-label": undefined,
          accept,
          multiple: false,
          "aria-invalid": error === undefined ? undefined : true,
          "aria-describedby": described,
        }}
        className={formClasses.dropzone}
        display="grid"
        mih="11rem"
        style={{ alignContent: "center" }}
        bd={
          error
            ? "1.5px dashed var(--xp-critical)"
            : chosen
              ? "1px solid var(--xp-line)"
              : "1.5px dashed var(--xp-line-strong)"
        }
      >
        <Stack align="center" gap="sm">
          {chosen ? (
            <Group gap="sm" wrap="nowrap" maw="100%">
              <ThemeIcon variant="light" size="lg" aria-hidden>
                <IconFile size={20} stroke={1.7} />
              </ThemeIcon>
              <Text id={`${id}-hint`} size="sm" lh={1.4} data-break="anywhere">
                <b>{chosen.name}</b>
                {chosen.size !== undefined && (
                  <Text span display="block" size="xs" c="dimmed">
                    {formatFileSize(chosen.size)}
                  </Text>
                )}
              </Text>
              {onRemove && <CloseButton aria-label={`Remove ${chosen.name}`} onClick={remove} />}
            </Group>
          ) : (
            <>
              <ThemeIcon variant="light" size="xl" radius="xl" aria-hidden>
                <IconFileUpload size={22} stroke={1.7} />
              </ThemeIcon>
              <Text id={`${id}-hint`} size="sm" c="dimmed" ta="center" maw="28rem">
                {hint}
              </Text>
            </>
          )}
          {/* Its click reaches the zone, which opens the file dialog. */}
          <Button ref={button} variant="default" size="sm" aria-describedby={`${id}-label ${described}`}>
            {chosen ? "Choose another file" : "Choose a file"}
          </Button>
        </Stack>
        {/* Always rendered, so that screen readers announce changes. */}
        <Text role="status" size="sm" c="dimmed" ta="center" mt="sm">
          {ignoredCount > 0 && "Only the first file was added. Choose one file at a time."}
        </Text>
      </Dropzone>
    </Input.Wrapper>
  );
}
