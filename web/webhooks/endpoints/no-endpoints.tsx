import { Card, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** Empty state that explains webhooks. `children` is the button to add an endpoint. */
export function NoEndpoints({ children }: { children: ReactNode }) {
  return (
    <Card component="section" radius="lg" padding="xl" aria-labelledby="no-endpoints">
      <Stack align="center" ta="center" gap="sm">
        <ThemeIcon variant="light" size="3.5rem" radius="lg" aria-hidden>
          <IconWebhook size={30} stroke={1.5} />
        </ThemeIcon>
        <Title order={2} id="no-endpoints" fz="1.375rem">
          No endpoints yet
        </Title>
        <Text c="dimmed" maw="36rem" mb="xs">
          A webhook is a message from us to your own software. Add the URL of your software and choose its events. It
          will receive each event within seconds, without polling.
        </Text>
        {children}
      </Stack>
    </Card>
  );
}
