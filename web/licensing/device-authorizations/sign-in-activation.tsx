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
import { UserCodeForm } from "./user-code-form.tsx";

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
