import { Badge, Group, type MantineColor, Stack, Text } from "@mantine/core";
import { findLabel } from "#schema/closed-list.ts";
import { emailStates } from "#schema/email.ts";
import type { EmailState } from "#web/generated/graphql.ts";
import { Section } from "#web/ui/page-layout.tsx";
import { Moment } from "#web/ui/moment.tsx";
import type { Overview } from "./overview-tab.tsx";

const colours: Readonly<Record<EmailState, MantineColor>> = { WAITING: "marigold", SENT: "spruce", REFUSED: "red" };

/** The latest emails to a user and whether the mail server took them. */
export function EmailsCard({ emails }: { emails: Overview["user"]["emails"] }) {
  return (
    <Section title="Emails">
      {emails.length === 0 && <Text c="dimmed">No emails in the last 90 days.</Text>}
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: "none" }}>
        {emails.slice(0, 5).map(({ id, subject, writtenAt, state }) => (
          <Group component="li" key={id} justify="space-between" gap="0 12px" wrap="nowrap" align="flex-start">
            <Text component="span" miw={0} style={{ overflowWrap: "anywhere" }}>
              {subject}
              <Text span display="block" fz="sm" c="dimmed">
                <Moment at={writtenAt} />
              </Text>
            </Text>
            <Badge flex="none" color={colours[state]}>
              {findLabel(emailStates, state)}
            </Badge>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
