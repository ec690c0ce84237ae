import { Alert, Stack } from "@mantine/core";
import { IconAlertTriangle, IconClock, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";

const looks = {
  calm: { color: "spruce", Icon: IconInfoCircle },
  notice: { color: "marigold", Icon: IconClock },
  critical: { color: "red", Icon: IconAlertTriangle },
};

/** Highlights a message: a status (`calm`), something to know (`notice`) or something to do (`critical`). */
export function Callout({ tone, children }: { tone: keyof typeof looks; children: ReactNode }) {
  const { color, Icon } = looks[tone];
  return (
    // A message that must be announced has an alert or a status around it.
    <Alert role="note" color={color} icon={<Icon size={22} stroke={1.8} aria-hidden="true" />}>
      <Stack gap="sm">{children}</Stack>
    </Alert>
  );
}
