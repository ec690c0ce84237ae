import { Ctx, Query, Resolver } from "type-graphql";
import { checkStates, type CheckState } from "#schema/status.ts";
import type { Context, Services } from "#api/platform/context.ts";
import { Allow, createType, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";
import { createReadCost } from "#api/platform/graphql/page.ts";
import { createSlot } from "#api/platform/slots.ts";

/** Failed jobs on the Status page. The command `jobs list` shows more. */
const SHOWN_JOBS = 20;

export const StatusFinding = createType("StatusFinding", "admin", "Result of one check of the installation.", {
  check: field.text("Name of the check, as the command `doctor` prints it."),
  state: field.choice(checkStates, "Whether something has to be done."),
  message: field.text("What was found."),
  fix: fieldOrNull.text("What to do. Null if everything is in order."),
});

export const JobQueue = createType("JobQueue", "admin", "A queue of background jobs.", {
  name: field.text("Name of the queue."),
  waiting: field.integer("Jobs that wait."),
  running: field.integer("Jobs that run."),
  failed: field.integer("Jobs that failed every attempt."),
  oldestAt: fieldOrNull.moment("Time since which the oldest due job waits. Null if none waits."),
});

export const FailedJob = createType("FailedJob", "admin", "A background job that failed every attempt.", {
  id: field.id("Unique ID, for the command `jobs retry`."),
  queue: field.text("Name of the queue."),
  failedAt: field.moment("Time of the last attempt, in UTC."),
  attempts: field.integer("Number of attempts."),
  reason: fieldOrNull.text("The last error. Null if the process was killed."),
});

export const InstallationStatus = createType(
  "InstallationStatus",
  "admin",
  "State of the installation, for its operator.",
  {
    version: field.text("Version of the release that answers."),
    checkedAt: field.moment("Time of the checks, in UTC. A process repeats them after 10 seconds."),
    findings: field.list(() => StatusFinding, "Results of all checks, in the order of the command `doctor`.", {
      access: Scope("reports:read", []),
    }),
    queues: field.list(() => JobQueue, "All queues of background jobs.", { access: Scope("reports:read", []) }),
    failedJobs: field.list(() => FailedJob, `The oldest jobs that failed every attempt, up to ${SHOWN_JOBS}.`, {
      access: Scope("reports:read", []),
    }),
  },
);
export type InstallationStatus = InstanceType<typeof InstallationStatus>;

/** Result of one check of the installation. A finding that isn't `ok` names the setting or command that fixes it. */
export interface Finding {
  readonly check: string;
  readonly state: CheckState;
  readonly message: string;
  readonly fix?: string;
}

/** What a running process knows about its installation. */
export interface Examination {
  /** Version of the release that runs. */
  readonly version: string;
  readonly checkedAt: Date;
  readonly findings: readonly Finding[];
}

/** Examines the installation with the checks of `doctor`, which know all areas. */
export const installation = createSlot<{ readonly examine: (services: Services) => Promise<Examination> }>(
  "the examination of the installation",
);

@Resolver()
export class StatusResolver {
  @Allow("admin", { roles: [], scope: "reports:read" })
  @Query(() => InstallationStatus, {
    description:
      "Checks the installation as the command `doctor` does: settings, database, queues, backups, keys, email.",
    complexity: createReadCost(300),
  })
  async installationStatus(@Ctx() context: Context): Promise<InstallationStatus> {
    const [examination, { queues, failed }] = await Promise.all([
      installation.get().examine(context),
      context.jobs.report({ limit: SHOWN_JOBS }),
    ]);
    const findings = examination.findings.map(({ fix = null, ...finding }) => ({ ...finding, fix }));
    return { ...examination, findings, queues, failedJobs: failed };
  }
}
