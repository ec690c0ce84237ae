import { type StartTrialMutation, useStartTrialMutation } from "#web/generated/graphql.ts";
import { AcceptButton } from "#web/ui/form/accept-button.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import classes from "./trial.module.css";

const loadRules = () => import("#schema/rules/account.ts").then((file) => file.startTrialRules);

/** What the trial is, the acknowledgement, and Submit. */
export function TrialForm({ onStarted }: { onStarted: (licence: StartTrialMutation["startTrial"]) => void }) {
  const [startTrial] = useStartTrialMutation();
  const form = useAppForm(loadRules, { defaultValues: { acceptedTheTerms: false } });

  async function send({ acceptedTheTerms }: { acceptedTheTerms: boolean }) {
    const { data } = await startTrial({ variables: { acceptedTheTerms } });
    if (data) onStarted(data.startTrial);
  }

  return (
    <AppForm form={form} onSubmit={send} fallback="Unable to create the trial." label="Trial Professional">
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
          <dd>the trial ends by itself, or when you subscribe</dd>
        </div>
      </dl>
      <p className={classes.note}>
        The trial is for you alone, on one machine, and each person may have it once. It is not meant for organisations
        or for conversion services.
      </p>
      <AcceptButton control={form.control} name="acceptedTheTerms" label="I accept the terms and conditions" />
      <FormActions>
        <SubmitButton>Submit</SubmitButton>
      </FormActions>
    </AppForm>
  );
}
