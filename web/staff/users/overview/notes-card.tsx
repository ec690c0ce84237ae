import { Button, Stack, Text } from "@mantine/core";
import { Link } from "react-router-dom";
import { toValue } from "#schema/closed-list.ts";
import { timelineTones } from "#schema/timeline.ts";
import type { CommentFieldsFragment, TimelineEntryFieldsFragment } from "#web/generated/graphql.ts";
import { DayTimeline } from "#web/licensing/licences/day-timeline.tsx";
import { paths } from "#web/platform/paths.ts";
import { TimelineEntry } from "#web/staff/audit-log/timeline-entry.tsx";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { Section } from "#web/ui/page-layout.tsx";
import { Moment } from "#web/ui/moment.tsx";

/** Comments shown here. The Comments tab has all. */
const MOST = 3;

/** The latest comments by staff about a user, with a button that adds one. */
export function NotesCard(props: { userId: string; comments: readonly CommentFieldsFragment[]; onDone: () => void }) {
  const { userId, comments, onDone } = props;
  const openDialog = useOpenDialog();
  const add = () => openDialog(() => import("#web/staff/comments/add-comment-dialog.tsx"), { userId, onAdded: onDone });
  return (
    <Section
      title="Notes"
      actions={
        <>
          {comments.length > MOST && (
            <Button
              component={Link}
              size="sm"
              variant="default"
              to={`${paths.updateUser.href({ id: userId })}?tab=comments`}
            >
              All {comments.length} Comments
            </Button>
          )}
          <Button size="sm" variant="default" onClick={add}>
            Add a comment
          </Button>
        </>
      }
    >
      {comments.length === 0 && <Text c="dimmed">No comments.</Text>}
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: "none" }}>
        {comments.slice(0, MOST).map(({ id, comment, commentedBy, commentDate }) => (
          <li key={id}>
            <Text style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>{comment}</Text>
            <Text fz="sm" c="dimmed">
              {commentedBy}, <Moment at={commentDate} />
            </Text>
          </li>
        ))}
      </Stack>
    </Section>
  );
}

/** The latest events of a user's account. */
export function HistoryCard({ userId, entries }: { userId: string; entries: readonly TimelineEntryFieldsFragment[] }) {
  return (
    <Section
      title="Latest events"
      actions={
        <Button
          component={Link}
          size="sm"
          variant="default"
          to={`${paths.updateUser.href({ id: userId })}?tab=history`}
        >
          All History
        </Button>
      }
    >
      <DayTimeline headingLevel={3} entries={entries} toneOf={({ tone }) => toValue(timelineTones, tone)}>
        {(entry) => <TimelineEntry entry={entry} />}
      </DayTimeline>
    </Section>
  );
}
