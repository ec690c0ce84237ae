import { type StartTrialMutation, useStartTrialMutation } from "#web/generated/graphql.ts";
import { AcceptButton } from "#web/ui/form/accept-button.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import classes from "./trial.module.css";

const loadRules = () => import("#schema/rules/account.ts").then((file) => file.startTrialRules);

/** Form that explains the trial and starts it. */
export function TrialForm({ onStarted }: { onStarted: (licence: StartTrialMutation["startTrial"]) => void }) {
  const [startTrial] = useStartTrialMutation();
  const form = useAppForm(loadRules, { defaultValues: { acceptedTheTerms: false } });

  async function submit({ acceptedTheTerms }: { acceptedTheTerms: boolean }) {
    const { data } = await startTrial({ variables: { acceptedTheTerms } });
    if (data) onStarted(data.startTrial);
  }

  return (
    <AppForm form={form} onSubmit={submit} fallback="Unable to create the trial." label="Trial Professional">
      <dl className={classes.terms}>
        <div>
          <dt>14 days</dt>
          <dd>or until the trial's conversions are used, whichever comes first</dd>
        </div>
        <div>
          <dt>Everything in Professional</dt>
          <dd>schedules, health checks, costs and resources, in both directions</dd>
        </div>
        <div>
          <dt>No card</dt>
          <dd>the trial ends automatically, or when you subscribe</dd>
        </div>
      </dl>
      <p className={classes.note}>
        The trial is for one user on one device, and each customer can have one trial. It is not intended for
        organisations or conversion services.
      </p>
      <AcceptButton control={form.control} name="acceptedTheTerms" label="I accept the terms and conditions" />
      <FormActions>
        <SubmitButton>Submit</SubmitButton>
      </FormActions>
    </AppForm>
  );
}
