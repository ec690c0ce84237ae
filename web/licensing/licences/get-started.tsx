import { Group, Stack, Text } from "@mantine/core";
import { StepMark } from "#web/ui/step-mark.tsx";

const steps = [
  "Confirm your email",
  "Start the trial or choose a plan",
  "Download the add-in",
  "Activate it with your licence code",
  "Convert your first schedule",
] as const;

/** A step of a new account after its email is confirmed. */
export type FirstStep = "licence" | "download" | "convert";

const positions: Readonly<Record<FirstStep, number>> = { licence: 1, download: 2, convert: 4 };

/** Shows a new customer how far they are on the way to the first conversion. */
export function GetStarted({ current }: { current: FirstStep }) {
  return (
    <section aria-label="Get started">
      <Stack component="ol" gap="xs" m={0} p={0} mt="lg">
        {steps.map((label, index) => {
          const distance = index - positions[current];
          const state = distance < 0 ? "done" : distance === 0 ? "current" : "open";
          return (
            <Group
              key={label}
              component="li"
              gap="sm"
              wrap="nowrap"
              maw="30rem"
              aria-current={state === "current" ? "step" : undefined}
            >
              <StepMark number={index + 1} state={state} />
              <Text fw={state === "current" ? 620 : 450} c={state === "done" ? "dimmed" : undefined}>
                {label}
              </Text>
              {state === "done" && (
                <Text size="sm" c="dimmed" ms="auto">
                  Done
                </Text>
              )}
            </Group>
          );
        })}
      </Stack>
    </section>
  );
}
