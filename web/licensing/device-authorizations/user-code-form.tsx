import type { UserCodeValues } from "#schema/rules/device-authorization.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";

const loadRules = () => import("#schema/rules/device-authorization.ts").then((file) => file.userCodeRules);

/**
 * Asks for the code that the add-in shows. One that came with the link is filled in and still sent by hand, so that a
 * link alone leads nobody to the question unawares.
 */
export function UserCodeForm(props: { code: string; onSubmit: (userCode: string) => Promise<void> }) {
  const form = useAppForm(loadRules, { defaultValues: { userCode: props.code } });
  const send = ({ userCode }: UserCodeValues) => props.onSubmit(userCode);
  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to look the code up." label="Activate a Device">
      <TextField
        control={form.control}
        name="userCode"
        label="Code"
        hint={
          props.code
            ? "Is this the code that the add-in shows you now? If not, do not go on."
            : "The eight letters that the add-in shows, such as WDJB-MJHT."
        }
        autoComplete="off"
        maxLength={40}
        isCode
      />
      <FormActions>
        <SubmitButton>Continue</SubmitButton>
      </FormActions>
    </AppForm>
  );
}
