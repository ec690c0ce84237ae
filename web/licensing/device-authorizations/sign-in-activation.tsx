import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import {
  DeviceAuthorizationDocument,
  type DeviceAuthorizationProgressQuery,
  type DeviceAuthorizationQuery,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { DeviceOutcome } from "./device-outcome.tsx";
import { DeviceQuestion } from "./device-question.tsx";
import type { UserCodeValues } from "#schema/rules/device-authorization.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";

const loadRules = () => import("#schema/rules/device-authorization.ts").then((file) => file.userCodeRules);

/**
 * Asks for the code that the add-in shows. One that came with the link is filled in and still sent by hand, so that a
 * link alone leads nobody to the question unawares.
 */
function UserCodeForm(props: { code: string; onSubmit: (userCode: string) => Promise<void> }) {
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

/** What came of a machine's request so far. */
export type Progress = DeviceAuthorizationProgressQuery["deviceAuthorization"];

type Step =
  | { kind: "code" }
  | { kind: "question"; found: DeviceAuthorizationQuery }
  | { kind: "outcome"; progress: Progress };

/** Activating a device by signing in: the code, the question, and what came of it (decision 0024). */
export function SignInActivation({ code }: { code: string }) {
  const client = useApolloClient();
  const [step, setStep] = useState<Step>({ kind: "code" });
  const [prefilled, setPrefilled] = useState(code);

  async function look(userCode: string) {
    const { data } = await client.query({
      query: DeviceAuthorizationDocument,
      variables: { userCode },
      fetchPolicy: "network-only",
      context: { staysOnPage: true },
    });
    if (!data) return;
    const isOpen = data.deviceAuthorization.state === "PENDING" || data.deviceAuthorization.state === "REFUSED";
    setStep(isOpen ? { kind: "question", found: data } : { kind: "outcome", progress: data.deviceAuthorization });
  }

  async function again(userCode: string) {
    try {
      await look(userCode);
    } catch (error) {
      notify.failure(error, "Unable to look the code up.");
    }
  }

  function startAgain() {
    setPrefilled("");
    setStep({ kind: "code" });
  }

  if (step.kind === "code") return <UserCodeForm code={prefilled} onSubmit={look} />;
  if (step.kind === "question")
    return (
      <DeviceQuestion
        found={step.found}
        onAnswered={(progress) => setStep({ kind: "outcome", progress })}
        onStartAgain={startAgain}
      />
    );
  return <DeviceOutcome answered={step.progress} onChooseAgain={again} onStartAgain={startAgain} />;
}
