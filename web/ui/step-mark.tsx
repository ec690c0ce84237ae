import { ThemeIcon } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";

/** Shows the number of a step, or a check mark once the step is done. */
export function StepMark({ number, state = "current" }: { number: number; state?: "done" | "current" | "open" }) {
  const variants = { done: "filled", current: "light", open: "default" };
  return (
    <ThemeIcon size="md" radius="xl" fz="sm" fw={600} variant={variants[state]} aria-hidden>
      {state === "done" ? <IconCheck size={16} stroke={2.4} /> : number}
    </ThemeIcon>
  );
}
