import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useInstallationStatusQuery } from "#web/generated/graphql.ts";
import { paths } from "#web/platform/paths.ts";
import { BusyButton } from "#web/ui/busy-button.tsx";
import { Callout } from "#web/ui/callout.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import { Moment } from "#web/ui/moment.tsx";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { FailedJobsTable, type Finding, Findings, QueuesTable } from "./status-tables.tsx";

/** State of the installation, with what to do about everything that isn't right. */
export default function StatusPage() {
  const query = useInstallationStatusQuery({ fetchPolicy: "network-only" });
  const status = query.data?.installationStatus;
  return (
    <PageLayout
      title={paths.status.title}
      lead={
        status && (
          <>
            Version {status.version}, checked on <Moment at={status.checkedAt} />. The command <code>doctor</code>{" "}
            checks the same.
          </>
        )
      }
      actions={
        <BusyButton variant="default" onPress={() => query.refetch().catch(() => undefined)}>
          Check again
        </BusyButton>
      }
    >
      <Loaded query={query} failure="Unable to check the installation." loading="Checking the installation" tall>
        {({ installationStatus: { findings, queues, failedJobs } }) => (
          <Stack gap="xl">
            <Stack component="section" aria-label="Checks" gap="md">
              <Summary findings={findings} />
              <Findings findings={findings} />
            </Stack>
            <Section title="Queues">
              <QueuesTable queues={queues} />
            </Section>
            {failedJobs.length > 0 && (
              <Section title="Failed jobs">
                <FailedJobsTable jobs={failedJobs} />
              </Section>
            )}
          </Stack>
        )}
      </Loaded>
    </PageLayout>
  );
}

function Summary({ findings }: { findings: readonly Finding[] }) {
  const count = (wanted: Finding["state"]) => findings.filter(({ state }) => state === wanted).length;
  const [failed, warnings] = [count("FAILED"), count("WARNING")];
  const tone = failed > 0 ? "critical" : warnings > 0 ? "notice" : "calm";
  return (
    <Callout tone={tone}>
      <Text fw={560}>
        {tone === "calm"
          ? `Everything is in order: ${findings.length} checks.`
          : `${failed + warnings} of ${findings.length} checks need you.`}
      </Text>
    </Callout>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" aria-label={title} gap="sm">
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}
