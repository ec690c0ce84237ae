import { Button, Group, Stack, Text, Anchor, Table, SimpleGrid } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router-dom";
import { formatNumber } from "#schema/numbers.ts";
import { useSecurityEventsQuery, type SecurityEventsQuery, type SecurityEventFilter } from "#web/generated/graphql.ts";
import { DayTimeline, type Tone } from "#web/licensing/licences/day-timeline.tsx";
import { EmptyState } from "#web/ui/message-state.tsx";
import { OlderEntries } from "#web/staff/audit-log/older-entries.tsx";
import { AppDialog } from "#web/ui/confirm-dialog.tsx";
import { useReportDownload } from "#web/ui/report-download/use-report-download.tsx";
import { findEntry, toCode, toValue } from "#schema/closed-list.ts";
import { securityEventChoiceRules, securityEventTypes } from "#schema/security-event.ts";
import { Loaded } from "#web/ui/loaded.tsx";
import { paths } from "#web/platform/paths.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { SelectField, TextField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { FilterPanel, readChoice, toMoments, toParams } from "#web/ui/lists/filter-panel.tsx";
import { appendOlder } from "#web/ui/lists/append-older.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";

/** Number of events per request. */
const PAGE_SIZE = 30;

const refusedTypes = /failed|locked|refused|reused|forged/;

/** Lists security events, newest first, with filters that the URL keeps. */
export function SecurityEvents() {
  const list = useUrlList({ sortable: false, filters: Object.keys(emptyChoice) });
  const [opened, setOpened] = useState<SecurityEventRow | null>(null);
  const download = useReportDownload();
  const choice = readChoice(list.params, emptyChoice);
  const request = toRequest(choice);
  const query = useSecurityEventsQuery({
    variables: { ...request, types: request.types.map((type) => toCode(securityEventTypes, type)), first: PAGE_SIZE },
  });
  const { data, previousData, fetchMore } = query;
  const events = (data ?? (query.error ? undefined : previousData))?.securityEvents;

  const loadOlder = () =>
    fetchMore({
      variables: { after: events?.endCursor },
      updateQuery: (shown, { fetchMoreResult: more, variables }) =>
        appendOlder(shown?.securityEvents, more.securityEvents, variables.after, (page) => ({ securityEvents: page })),
    });

  return (
    <Stack gap="lg">
      <SecurityEventFilters choice={choice} onApply={(applied) => list.apply(new URLSearchParams(toParams(applied)))} />
      {!events ? (
        <Loaded query={query} failure="Unable to load the security events." loading="Loading the security events" />
      ) : (
        <Stack component="section" aria-label="Events" aria-busy={!data || undefined}>
          {events.rows.length > 0 ? (
            <>
              <Button
                variant="default"
                w="fit-content"
                leftSection={<IconDownload size={16} />}
                onClick={() =>
                  download.start("Security events", "/v1/reports/download-security-events", {
                    ...request.filter,
                    types: request.types,
                    format: "csv",
                  })
                }
              >
                Export CSV
              </Button>
              {download.progress}
              <DayTimeline headingLevel={2} entries={events.rows} toneOf={getTone}>
                {(event) => <EventText event={event} onOpen={() => setOpened(event)} />}
              </DayTimeline>
            </>
          ) : (
            <EmptyState message={list.isFiltered ? "No events match these filters." : "No security events yet."} />
          )}
          <OlderEntries shown={events.rows.length} hasMore={events.endCursor !== null} loadOlder={loadOlder} />
        </Stack>
      )}
      <AppDialog opened={opened !== null} title={opened?.what ?? ""} onClose={() => setOpened(null)}>
        {opened && <SecurityEventDetails event={opened} />}
      </AppDialog>
    </Stack>
  );
}

function getTone({ type }: SecurityEventRow): Tone {
  if (refusedTypes.test(toValue(securityEventTypes, type))) return "refused";
  return type.endsWith("_SUCCEEDED") ? "granted" : "change";
}

function EventText({ event, onOpen }: { event: SecurityEventRow; onOpen: () => void }) {
  const { what, user, actor, address, count, facts } = event;
  const reason = facts.find(({ label }) => label === "Reason" || label === "Operation" || label === "Limit")?.value;
  return (
    <>
      <Group gap="2px 10px" align="baseline" data-break="anywhere">
        <span>{what}</span>
        {user && <UserLink user={user} />}
        {count > 1 && <b>{formatNumber(count)} times</b>}
      </Group>
      <Text c="dimmed" fz="sm" data-break="anywhere">
        {[reason, actor && `by ${actor.firstName} ${actor.lastName}`, address && `from ${address}`]
          .filter(Boolean)
          .join(", ")}
      </Text>
      <Button variant="transparent" size="compact-sm" w="fit-content" px={0} onClick={onOpen}>
        Details
      </Button>
    </>
  );
}

export default function SecurityEventsPage() {
  return (
    <PageLayout
      title={paths.securityEvents.title}
      lead="Sign-ins, refused requests, role changes and exports of the last 400 days. Events can’t be edited."
    >
      <SecurityEvents />
    </PageLayout>
  );
}

type SecurityEventRow = SecurityEventsQuery["securityEvents"]["rows"][number];

/** Shows everything that is known about a security event. */
function SecurityEventDetails({ event }: { event: SecurityEventRow }) {
  const { at, type, address, count, requestId, facts, user, actor } = event;
  return (
    <Table layout="fixed" verticalSpacing={7} fz="sm" data-break="anywhere">
      <Table.Tbody>
        <Row label="Time">
          <Moment at={at} />
        </Row>
        <Row label="Type">{toValue(securityEventTypes, type)}</Row>
        {user && (
          <Row label="User">
            <UserLink user={user} />
          </Row>
        )}
        {actor && (
          <Row label="By">
            <UserLink user={actor} />
          </Row>
        )}
        <Row label="IP address">{address || "Unknown"}</Row>
        {count > 1 && <Row label="Number of events">{formatNumber(count)}</Row>}
        {facts.map(({ label, value }) => (
          <Row key={label} label={label}>
            {value}
          </Row>
        ))}
        <Row label="Request">{requestId}</Row>
      </Table.Tbody>
    </Table>
  );
}

function Row({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" w="9rem" fw={560} pl={0}>
        {label}
      </Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  );
}

/** Links to a user. Shows a note for a user who no longer exists. */
function UserLink({ user }: { user: SecurityEventRow["user"] }) {
  if (!user)
    return (
      <Text span c="dimmed">
        Unknown user
      </Text>
    );
  return (
    <Anchor component={Link} to={paths.updateUser.href({ id: user.id })}>
      {`${user.firstName} ${user.lastName}`}
    </Anchor>
  );
}

/** Filters the security events by type, user, IP address and date. */
function SecurityEventFilters(props: { choice: EventChoice; onApply: (choice: EventChoice) => void }) {
  const { choice, onApply } = props;
  // The form values are typed dates; validation converts them.
  const form = useAppForm(securityEventChoiceRules, { defaultValues: choice as never, followsDefaults: true });
  const { control } = form;
  const field = (name: keyof EventChoice) => ({ control, name, optional: "unsaid" as const });
  return (
    <FilterPanel isNarrowed={Object.values(choice).some(Boolean)}>
      <AppForm
        form={form}
        label="Filter"
        fallback="Unable to load the security events."
        onSubmit={() => onApply(form.getValues() as unknown as EventChoice)}
      >
        <SimpleGrid minColWidth="min(100%, 12.5rem)">
          <SelectField {...field("type")} label="Event" placeholder="All events" options={securityEventTypes} />
          <TextField {...field("search")} label="User" placeholder="Name, email or company" autoComplete="off" />
          <TextField {...field("address")} label="IP address" autoComplete="off" />
          <DateField {...field("from")} label="Start date" />
          <DateField {...field("to")} label="End date" />
        </SimpleGrid>
        <FormActions>
          <SubmitButton>Apply</SubmitButton>
          <Button
            variant="default"
            onClick={() => {
              form.reset(emptyChoice as never);
              onApply(emptyChoice);
            }}
          >
            Show all events
          </Button>
        </FormActions>
      </AppForm>
    </FilterPanel>
  );
}

/** Filter of the page as it is in the URL. Days are `YYYY-MM-DD` in the viewer's time zone. */
const emptyChoice = { type: "", search: "", address: "", from: "", to: "" };
type EventChoice = typeof emptyChoice;

/** Converts a filter to the arguments of the query and of the download. Leaves out an unknown type. */
function toRequest({ type, from, to, ...rest }: EventChoice): { types: string[]; filter: SecurityEventFilter } {
  const known = findEntry(securityEventTypes, type);
  return { types: known ? [known.value] : [], filter: toParams({ ...rest, ...toMoments({ from, to }) }) };
}
