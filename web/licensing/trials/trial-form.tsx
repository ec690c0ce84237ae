import { List, Text, ThemeIcon } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { type StartTrialMutation, useStartTrialMutation } from "#web/generated/graphql.ts";
import { AcceptButton } from "#web/ui/form/accept-button.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";

const loadRules = () => import("#schema/account.ts").then((file) => file.startTrialRules);

const terms = [
  ["14 days", "or until the trial's conversions are used, whichever comes first"],
  ["Everything in Professional", "schedules, health checks, costs and resources, in both directions"],
  ["No card", "the trial ends automatically, or when you subscribe"],
];

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
      <List
        spacing="md"
        icon={
          <ThemeIcon variant="light" radius="xl" size="md" aria-hidden>
            <IconCheck size={16} stroke={2.2} />
          </ThemeIcon>
        }
      >
        {terms.map(([title, text]) => (
          <List.Item key={title}>
            <Text fw={600}>{title}</Text>
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          </List.Item>
        ))}
      </List>
      <Text size="sm" c="dimmed">
        The trial is for one user on one device, and each customer can have one trial. It is not intended for
        organisations or conversion services.
      </Text>
      <AcceptButton control={form.control} name="acceptedTheTerms" label="I accept the terms and conditions" />
      <FormActions>
        <SubmitButton>Submit</SubmitButton>
      </FormActions>
    </AppForm>
  );
}
