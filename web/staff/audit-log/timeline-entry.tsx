import { Anchor, Badge, Group, Stack, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import type { TimelineEntryFieldsFragment } from "#web/generated/graphql.ts";
import { Repetitions } from "#web/licensing/licences/history-timeline.tsx";
import { paths } from "#web/platform/paths.ts";
import { ChangedFields, getNameToAdd } from "./changed-fields.tsx";

/** The text of an entry in a user's timeline. */
export function TimelineEntry({ entry }: { entry: TimelineEntryFieldsFragment }) {
  const { kind, title, detail, tone, count, at, lastAt, actorName, licenceId, supportCode, changes, auditEntry } =
    entry;
  const subject = getNameToAdd(title, entry.subject);
  // A machine is the subject of the sentence, so its name comes first. Other subjects come last.
  const isMachine = kind === "LICENCE";
  return (
    <Stack gap={4} data-break="anywhere">
      <Group gap="2px 10px" align="baseline">
        {subject && isMachine && <b>{subject}</b>}
        <span>{title}</span>
        {subject && !isMachine && <b>{subject}</b>}
        {tone === "REFUSED" && (
          <Badge size="sm" color="red">
            Refused
          </Badge>
        )}
      </Group>
      {detail && <Text c="dimmed">{detail}</Text>}
      {count > 1 && lastAt && (
        <Text c="dimmed">
          <Repetitions count={count} at={at} lastAt={lastAt} />
        </Text>
      )}
      {actorName && <Text c="dimmed">{actorName}</Text>}
      {licenceId && (
        <Anchor component={Link} fz="sm" to={paths.licenceHistory.href({ licenceId })}>
          {supportCode}
        </Anchor>
      )}
      <ChangedFields changes={changes} revertible={auditEntry?.isRevertible ? auditEntry.id : null} />
    </Stack>
  );
}
