import { Ctx, Field, ID, Int, ObjectType, Query, Resolver } from "type-graphql";
import { checkStates } from "#schema/status.ts";
import type { Context } from "#api/platform/context.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";
import { createReadCost } from "#api/platform/graphql/field-costs.ts";
import { installation } from "./examination.ts";

/** Failed jobs on the Status page. The command `jobs list` shows more. */
const SHOWN_JOBS = 20;

@VisibleTo("admin")
@ObjectType({ description: "Result of one check of the installation." })
export class StatusFinding {
  @Field(() => String, { description: "Name of the check, as the command `doctor` prints it." })
  check!: string;

  @Field(enumType(checkStates), { description: "Whether something has to be done." })
  state!: string;

  @Field(() => String, { description: "What was found." })
  message!: string;

  @Field(() => String, { nullable: true, description: "What to do. Null if everything is in order." })
  fix?: string;
}

@VisibleTo("admin")
@ObjectType({ description: "A queue of background jobs." })
export class JobQueue {
  @Field(() => String, { description: "Name of the queue." })
  name!: string;

  @Field(() => Int, { description: "Jobs that wait." })
  waiting!: number;

  @Field(() => Int, { description: "Jobs that run." })
  running!: number;

  @Field(() => Int, { description: "Jobs that failed every attempt." })
  failed!: number;

  @Field(() => Date, { nullable: true, description: "Time since which the oldest due job waits. Null if none waits." })
  oldestAt!: Date | null;
}

@VisibleTo("admin")
@ObjectType({ description: "A background job that failed every attempt." })
export class FailedJob {
  @Field(() => ID, { description: "Unique ID, for the command `jobs retry`." })
  id!: string;

  @Field(() => String, { description: "Name of the queue." })
  queue!: string;

  @Field(() => Date, { description: "Time of the last attempt, in UTC." })
  failedAt!: Date;

  @Field(() => Int, { description: "Number of attempts." })
  attempts!: number;

  @Field(() => String, { nullable: true, description: "The last error. Null if the process was killed." })
  reason!: string | null;
}

@VisibleTo("admin")
@ObjectType({ description: "State of the installation, for its operator." })
export class InstallationStatus {
  @Field(() => String, { description: "Version of the release that answers." })
  version!: string;

  @Field(() => Date, { description: "Time of the checks, in UTC. A process repeats them after 10 seconds." })
  checkedAt!: Date;

  @Scope("reports:read", [])
  @Field(() => [StatusFinding], { description: "Results of all checks, in the order of the command `doctor`." })
  findings!: readonly StatusFinding[];

  @Scope("reports:read", [])
  @Field(() => [JobQueue], { description: "All queues of background jobs." })
  queues!: readonly JobQueue[];

  @Scope("reports:read", [])
  @Field(() => [FailedJob], { description: `The oldest jobs that failed every attempt, up to ${SHOWN_JOBS}.` })
  failedJobs!: readonly FailedJob[];
}

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
    return { ...examination, queues, failedJobs: failed };
  }
}
