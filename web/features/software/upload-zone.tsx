import { useController, type UseFormReturn } from "react-hook-form";
import type { UploadSoftwareValues } from "#schema/rules/software.ts";
import { faultOfFile, type UploadedFile, uploadLimits } from "#schema/software.ts";
import { FileDrop } from "#web/ui/file-drop.tsx";
import { fileSize } from "#web/ui/file-size.ts";

/** The drop zone of one of an upload's files; one that can't be uploaded is refused at once (spec, admin §5). */
export function UploadZone(props: {
  form: UseFormReturn<UploadSoftwareValues>;
  name: UploadedFile;
  optional?: boolean;
}) {
  const { form, name, optional = false } = props;
  const { label, ending, maxBytes } = uploadLimits[name];
  const { field, fieldState } = useController({ control: form.control, name });

  function take(file: File) {
    const fault = faultOfFile(name, file);
    if (fault !== null) return form.setError(name, { type: "server", message: fault });
    form.clearErrors(name);
    field.onChange(file);
  }

  return (
    <FileDrop
      label={label}
      hint={`Drop the ${ending} file here, at most ${fileSize(maxBytes)}.`}
      accept={ending}
      chosen={field.value ?? null}
      optional={optional}
      error={fieldState.error?.message}
      onFile={take}
      onRemove={() => {
        form.clearErrors(name);
        field.onChange(null);
      }}
    />
  );
}
