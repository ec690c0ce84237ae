import { Button, Card, Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { resendConfirmation } from "#web/access/accounts/email-confirmation.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { describeNextStep, type NextStep, type NextStepText } from "./next-step-texts.ts";

/** Shows the most urgent thing to do, with the action that leads to it, or that there is nothing to do. */
export function NextStepCard({ step, children }: { step: NextStep | null; children?: ReactNode }) {
  const { title, text, action, isUrgent = false } = step ? describeNextStep(step) : nothing;
  return (
    <Card
      component="section"
      aria-label="Next step"
      padding="lg"
      mb="lg"
      style={{ borderInlineStart: `4px solid var(${isUrgent ? "--xp-critical" : "--xp-brand"})` }}
    >
      <Group justify="space-between" gap="md">
        <div>
          {step && (
            <Text size="sm" fw={560} c={isUrgent ? "var(--xp-critical)" : "dimmed"}>
              Next step
            </Text>
          )}
          <Title order={2} size="h3" data-break="anywhere">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </div>
        {action && <StepAction action={action} />}
      </Group>
      {children}
    </Card>
  );
}

const nothing: Omit<NextStepText, "action"> & { action?: undefined } = {
  title: "Nothing to do",
  text: "Your account is up to date.",
};

function StepAction({ action }: Pick<NextStepText, "action">) {
  if ("to" in action)
    return (
      <Button component={Link} to={action.to}>
        {action.label}
      </Button>
    );
  if ("download" in action)
    return (
      <Button component="a" href={action.download} download>
        {action.label}
      </Button>
    );
  return <BusyButton onPress={() => resendConfirmation(action.resendTo)}>{action.label}</BusyButton>;
}
