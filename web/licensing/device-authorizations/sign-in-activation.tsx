import { useApolloClient } from "@apollo/client/react";
import { useState } from "react";
import {
  DeviceAuthorizationDocument,
  type DeviceAuthorizationProgressQuery,
  type DeviceAuthorizationQuery,
} from "#web/generated/graphql.ts";
import { notify } from "#web/platform/notifications.ts";
import { DeviceOutcome } from "./device-outcome.tsx";
import { DeviceConfirmation } from "./device-confirmation.tsx";
import type { UserCodeValues } from "#schema/protocol.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { TextField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { useSearchParams } from "react-router-dom";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";

const loadRules = () => import("#schema/protocol.ts").then((file) => file.userCodeRules);

/**
 * Form for the code that the add-in displays. A code from the link is filled in but not submitted, so that following a link
 * alone never leads to the confirmation.
 */
function UserCodeForm(props: { code: string; onSubmit: (userCode: string) => Promise<void> }) {
  const form = useAppForm(loadRules, { defaultValues: { userCode: props.code } });
  const submit = ({ userCode }: UserCodeValues) => props.onSubmit(userCode);
  return (
    <AppForm form={form} onSubmit={submit} fallback="Unable to look up the code." label="Activate a device">
      <TextField
        control={form.control}
        name="userCode"
        label="Code"
        hint={
          props.code
            ? "Check that the add-in shows this code now. If it doesn't, don't continue."
            : "The eight letters shown in the add-in, such as WDJB-MJHT."
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

/** Current status of a device authorization. */
export type Progress = DeviceAuthorizationProgressQuery["deviceAuthorization"];

type Step =
  | { kind: "code" }
  | { kind: "question"; found: DeviceAuthorizationQuery }
  | { kind: "outcome"; progress: Progress };

/** Activates a device by signing in, in three steps: the code, the confirmation and the result (decision 0024). */
export function SignInActivation({ code }: { code: string }) {
  const client = useApolloClient();
  const [step, setStep] = useState<Step>({ kind: "code" });
  const [prefilled, setPrefilled] = useState(code);

  async function lookUpCode(userCode: string) {
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

  async function chooseAgain(userCode: string) {
    try {
      await lookUpCode(userCode);
    } catch (error) {
      notify.failure(error, "Unable to look up the code.");
    }
  }

  function startAgain() {
    setPrefilled("");
    setStep({ kind: "code" });
  }

  if (step.kind === "code") return <UserCodeForm code={prefilled} onSubmit={lookUpCode} />;
  if (step.kind === "question")
    return (
      <DeviceConfirmation
        found={step.found}
        onDecided={(progress) => setStep({ kind: "outcome", progress })}
        onStartAgain={startAgain}
      />
    );
  return <DeviceOutcome initialProgress={step.progress} onChooseAgain={chooseAgain} onStartAgain={startAgain} />;
}

/** Page that the add-in opens to activate a device by signing in. The link contains the code. */
export default function ActivatePage() {
  const [search] = useSearchParams();
  const code = search.get("code") ?? "";
  return (
    <PageLayout
      title={paths.activate.title}
      lead="Enter the code shown in the add-in. You don't need your licence code."
      back={{ to: paths.licences.href(), label: "Licences" }}
      width="form"
      card
    >
      <SignInActivation key={code} code={code.slice(0, 40)} />
    </PageLayout>
  );
}
