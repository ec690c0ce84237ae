import { useController, type UseFormReturn } from "react-hook-form";
import { formatFileSize } from "#schema/numbers.ts";
import {
  findFileError,
  type SoftwareFileField,
  softwareFiles,
  type UploadFormValues,
} from "#schema/software-upload.ts";
import { FileDrop } from "#web/ui/file-drop.tsx";

const labels: Record<SoftwareFileField, string> = {
  installationFile: "Installation file",
  applicationFilesZipFile: "Application files zip file",
  vstoFile: "Vsto file",
};

/** Drop zone for one file of an upload. Rejects invalid files immediately. */
export function UploadZone(props: {
  form: UseFormReturn<UploadFormValues>;
  name: SoftwareFileField;
  optional?: boolean;
}) {
  const { form, name, optional = false } = props;
  const { extension, maxBytes } = softwareFiles[name];
  const { field, fieldState } = useController({ control: form.control, name });

  function selectFile(file: File) {
    const problem = findFileError(name, file);
    if (problem !== null) return form.setError(name, { type: "server", message: problem });
    form.clearErrors(name);
    field.onChange(file);
  }

  return (
    <FileDrop
      label={labels[name]}
      hint={`Drop the ${extension} file here, at most ${formatFileSize(maxBytes)}.`}
      accept={extension}
      chosen={field.value ?? null}
      optional={optional}
      error={fieldState.error?.message}
      onFile={selectFile}
      onRemove={() => {
        form.clearErrors(name);
        field.onChange(null);
      }}
    />
  );
}
