import { Anchor, Button, Group, Paper, Stack, Text, SimpleGrid, Badge } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router-dom";
import {
  type AuditFilter,
  useBulkRunNameQuery,
  type AuditChoicesQuery,
  useAuditChoicesQuery,
  type AuditLogQuery,
  useAuditLogQuery,
} from "#web/generated/graphql.ts";
import { paths } from "#web/platform/paths.ts";
import { ForStaffRole, useStaffRole } from "#web/platform/staff-role.tsx";
import { bulkKinds } from "#schema/bulk-run.ts";
import { findLabel } from "#schema/closed-list.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { SelectField, TextField } from "#web/ui/form/fields.tsx";
import { FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { FilterPanel, readChoice, toMoments, toParams } from "#web/ui/lists/filter-panel.tsx";
import { appendOlder } from "#web/ui/lists/append-older.ts";
import { useUrlList } from "#web/ui/lists/use-url-list.ts";
import { formatNumber } from "#schema/numbers.ts";
import { DayTimeline } from "#web/licensing/licences/day-timeline.tsx";
import { EmptyState } from "#web/ui/message-state.tsx";
import { ChangedFields, getNameToAdd } from "./changed-fields.tsx";
import { OlderEntries } from "./older-entries.tsx";
import { Loaded } from "#web/ui/loaded.tsx";

/** Lists changes made by admins, newest first, with filters that the URL keeps. `?run=ID` shows only the changes of one bulk run. */
function AuditLog() {
  const list = useUrlList({ sortable: false, filters: [...Object.keys(emptyChoice), "run"] });
  const run = list.params.get("run") ?? "";
  const { data: choices, error } = useAuditChoicesQuery();
  const linked = readChoice(list.params, emptyChoice);
  // An unknown action in a link doesn't filter, like an unknown value in the links of other lists.
  const isKnown = !choices || choices.auditActions.some(({ action }) => action === linked.action);
  const choice = isKnown ? linked : { ...linked, action: "" };
  const filter: AuditFilter = toParams({ ...choice, ...toMoments(choice), bulkRunId: run });
  const show = (next: AuditChoice & { run: string }) => list.apply(new URLSearchParams(toParams(next)));
  return (
    <Stack gap="lg">
      <AuditFilters choice={choice} choices={choices} onApply={(applied) => show({ ...applied, run })} />
      {run && <RunFilter key={run} runId={run} onClear={() => show({ ...choice, run: "" })} />}
      {(!choice.action || choices || error) && <EntryList filter={filter} groupRuns={!run} label="Changes" />}
    </Stack>
  );
}

/** Says which bulk run the list is limited to, with a link for staff who may open it. */
function RunFilter({ runId, onClear }: { runId: string; onClear: () => void }) {
  const isSupport = useStaffRole("support");
  const { data } = useBulkRunNameQuery({ variables: { id: runId }, skip: !isSupport });
  const run = data?.bulkRun;
  const kind = run && findLabel(bulkKinds, run.kind);
  return (
    <Paper withBorder radius="lg" px="lg" py="sm">
      <Group justify="space-between" gap="xs">
        <Text>
          Only changes by the bulk run{" "}
          {isSupport ? (
            <Anchor component={Link} to={paths.bulkRun.href({ id: runId })} inherit fw={600}>
              {run ? [kind, run.fileName].filter(Boolean).join(": ") : runId}
            </Anchor>
          ) : (
            runId
          )}
        </Text>
        <Button variant="default" size="xs" onClick={onClear}>
          Show all runs
        </Button>
      </Group>
    </Paper>
  );
}

export default function AuditLogPage() {
  return (
    <PageLayout
      title={paths.auditLog.title}
      lead="Every change made by admins, with the values before and after. Entries can’t be edited."
    >
      <AuditLog />
    </PageLayout>
  );
}

const loadRules = () => import("#schema/audit.ts").then((file) => file.auditFilterFormRules);

/** Filter of the page as it is in the URL. Days are `YYYY-MM-DD` in the viewer's time zone. */
const emptyChoice = { search: "", actorId: "", action: "", from: "", to: "" };
type AuditChoice = typeof emptyChoice;

interface AuditFiltersProps {
  choice: AuditChoice;
  /** The admins and actions to choose from. */
  choices: AuditChoicesQuery | undefined;
  onApply: (choice: AuditChoice) => void;
}

/** Filters the audit log by admin, action, date and search text. */
function AuditFilters({ choice, choices, onApply }: AuditFiltersProps) {
  // The form values are typed dates; validation converts them to timestamps.
  const form = useAppForm(loadRules, { defaultValues: choice as never, followsDefaults: true });
  const actors = (choices?.auditActors ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const actions = (choices?.auditActions ?? []).map(({ action, words }) => ({ value: action, label: words }));
  const { control } = form;
  const field = (name: keyof AuditChoice) => ({ control, name, optional: "unsaid" as const });

  return (
    <FilterPanel isNarrowed={Object.values(choice).some(Boolean)}>
      <AppForm
        form={form}
        label="Filter"
        fallback="Unable to load the audit log."
        onSubmit={() => onApply(form.getValues() as unknown as AuditChoice)}
      >
        <SimpleGrid minColWidth="min(100%, 12.5rem)">
          <TextField {...field("search")} label="Search" placeholder="User, licence or code" autoComplete="off" />
          <SelectField {...field("actorId")} label="Admin" placeholder="All admins" options={actors} />
          <SelectField {...field("action")} label="Action" placeholder="All actions" options={actions} />
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

/** Number of entries per request. */
const PAGE_SIZE = 30;

type Entry = AuditLogQuery["auditLog"]["rows"][number];

interface EntryListProps {
  filter: AuditFilter;
  /** Shows each bulk run as one row that opens. */
  groupRuns: boolean;
  label: string;
}

/** Lists the audit entries that match a filter, newest first. */
function EntryList({ filter, groupRuns, label }: EntryListProps) {
  const query = useAuditLogQuery({ variables: { filter, first: PAGE_SIZE, groupRuns } });
  const { data, previousData, fetchMore } = query;
  const log = (data ?? (query.error ? undefined : previousData))?.auditLog;

  const loadOlder = () =>
    fetchMore({
      variables: { after: log?.endCursor },
      updateQuery: (shown, { fetchMoreResult, variables }) =>
        appendOlder(shown?.auditLog, fetchMoreResult.auditLog, variables.after, (auditLog) => ({ auditLog })),
    });

  if (!log) return <Loaded query={query} failure="Unable to load the audit log." loading="Loading the audit log" />;
  const isFiltered = Object.values(filter).some(Boolean);
  return (
    <Stack component="section" aria-label={label} aria-busy={!data || undefined}>
      {log.rows.length > 0 ? (
        <DayTimeline headingLevel={groupRuns ? 2 : 3} entries={log.rows} toneOf={() => "change"}>
          {(entry) =>
            entry.bulkRunId && (entry.runEntryCount ?? 0) > 1 ? (
              <RunEntry entry={entry} filter={{ ...filter, bulkRunId: entry.bulkRunId }} />
            ) : (
              <SingleEntry entry={entry} />
            )
          }
        </DayTimeline>
      ) : (
        <EmptyState message={isFiltered ? "No changes match these filters." : "No changes yet."} />
      )}
      <OlderEntries shown={log.rows.length} hasMore={log.endCursor !== null} loadOlder={loadOlder} />
    </Stack>
  );
}

/** Formats who made a change. Only owners and support get the IP address. */
const formatActor = ({ actorName, ip }: Entry): string => (ip ? `${actorName} from ${ip}` : actorName);

/** All matching entries of a bulk run in one row, which opens. */
function RunEntry({ entry, filter }: { entry: Entry; filter: AuditFilter }) {
  const [isOpen, setOpen] = useState(false);
  const name = entry.bulkRunName ?? "Bulk run";
  return (
    <>
      <Group gap="2px 10px" align="baseline">
        <b>{name}</b>
        <Badge size="md">{formatNumber(entry.runEntryCount ?? 0)} entries</Badge>
      </Group>
      <Text c="dimmed" fz="sm">
        {formatActor(entry)}
      </Text>
      <Group gap="xs" mt={4}>
        <Button
          variant="default"
          size="xs"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Hide" : "Show"} entries of ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Hide entries" : "Show entries"}
        </Button>
        <Anchor component={Link} fz="sm" to={`${paths.auditLog.href()}?run=${entry.bulkRunId}`}>
          Only this run
        </Anchor>
        <ForStaffRole has="support">
          <Anchor component={Link} fz="sm" to={paths.bulkRun.href({ id: entry.bulkRunId ?? "" })}>
            Open the run
          </Anchor>
        </ForStaffRole>
      </Group>
      {isOpen && <EntryList filter={filter} groupRuns={false} label={`Changes by ${name}`} />}
    </>
  );
}

function SingleEntry({ entry }: { entry: Entry }) {
  const { id, what, subjectType, subjectName, user, changes, isRevertible } = entry;
  const name = user && `${user.firstName} ${user.lastName}`;
  // For a change to a user or a user's session, the link is the object of the sentence.
  const isUser = user && (subjectType === "USER" || subjectType === "SESSION");
  const subject = isUser || subjectName === name ? null : getNameToAdd(what, subjectName);
  return (
    <>
      <Group gap="2px 10px" align="baseline" data-break="anywhere">
        <span>{what}</span>
        {subject && <b>{subject}</b>}
        {user && (
          <span>
            {!isUser && "of "}
            <Anchor component={Link} to={paths.updateUser.href({ id: user.id })}>
              {name}
            </Anchor>
          </span>
        )}
      </Group>
      <Text c="dimmed" fz="sm" data-break="anywhere">
        {formatActor(entry)}
      </Text>
      <ChangedFields changes={changes} revertible={isRevertible ? id : null} />
    </>
  );
}
