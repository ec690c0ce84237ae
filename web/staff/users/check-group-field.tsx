import { Checkbox, Fieldset, Group, Input } from "@mantine/core";
import type { FieldValues } from "react-hook-form";
import { type FieldProps, useField } from "#web/ui/form/use-field.tsx";

/** A group of checkboxes. The form value is the list of checked values in the order of `options`. */
export function CheckGroupField<TValues extends FieldValues>(
  props: FieldProps<TValues> & {
    options: readonly { value: number | string; label: string; description?: string }[];
  },
) {
  const { options } = props;
  const { value, frame, box } = useField(props);
  const { label, error } = frame;
  const chosen = Array.isArray(value) ? (value as unknown[]) : [];
  const choose = (isWanted: (value: number | string) => boolean) =>
    box.onChange(options.map((option) => option.value).filter(isWanted));
  return (
    <Fieldset legend={label} aria-describedby={box["aria-describedby"]}>
      <Group gap="sm" mih="2.625rem">
        {options.map((option) => (
          <Checkbox
            key={option.value}
            name={box.name}
            label={option.label}
            description={option.description}
            checked={chosen.includes(option.value)}
            disabled={props.disabled}
            aria-invalid={box["aria-invalid"]}
            error={error !== undefined}
            onBlur={box.onBlur}
            onChange={({ currentTarget: { checked } }) =>
              choose((one) => (one === option.value ? checked : chosen.includes(one)))
            }
          />
        ))}
      </Group>
      {error !== undefined && <Input.Error id={`${box.id}-error`}>{error}</Input.Error>}
    </Fieldset>
  );
}
