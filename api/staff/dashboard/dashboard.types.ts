import { Field, Float, ID, Int, ObjectType } from "type-graphql";
import { DayScalar } from "#api/platform/graphql/scalars.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { EXPIRING_DAYS, SEEN_DAYS, versionComparisons } from "#schema/dashboard.ts";
import { billingIntervals } from "#schema/plan-catalogue.ts";
import { enumType } from "#api/platform/graphql/enum-type.ts";
import { Page } from "#api/platform/graphql/page.ts";

@VisibleTo("admin")
@ObjectType({ description: "A figure of the period and its value in the previous period." })
export class DashboardFigure {
  @Field(() => Float, { description: "The figure in the period." })
  value!: number;

  @Field(() => Float, {
    description: "Value in the previous period. For counts at a point in time, the value at the start of the period.",
  })
  before!: number;
}

@VisibleTo("admin")
@ObjectType({ description: "Trials that started on one day or in one week." })
export class DashboardTrialsPart {
  @Field(() => DayScalar, {
    description: "The day, or the first day of the week, in the vendor's time zone.",
  })
  date!: string;

  @Field(() => Int, { description: "Trials that began in this part of the period." })
  started!: number;

  @Field(() => Int, { description: "Number of these trials whose user has subscribed since." })
  converted!: number;
}

@VisibleTo("admin")
@ObjectType({ description: "Trials started in the period." })
export class DashboardTrials {
  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => DashboardFigure, { description: "Trials that began in the period." })
  started!: DashboardFigure;

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => DashboardFigure, {
    description: "Number of trials started in the period whose user has started a subscription since.",
  })
  converted!: DashboardFigure;

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => [DashboardTrialsPart], {
    description: "Trials by day, or by week if the period is longer than 31 days.",
  })
  course!: DashboardTrialsPart[];
}

@VisibleTo("admin")
@ObjectType({ description: "The count on one day or in one week." })
export class DashboardCount {
  @Field(() => DayScalar, {
    description: "The day, or the first day of the week, in the vendor's time zone.",
  })
  date!: string;

  @Field(() => Int, { description: "Number in this part of the period." })
  count!: number;
}

@VisibleTo("admin")
@ObjectType({ description: "Active subscriptions of one plan price." })
export class DashboardPlan {
  @Field(() => String, { description: "ID of the plan price, such as `xer-professional-yearly`." })
  planPrice!: string;

  @Field(() => String, { description: "Name of the plan." })
  plan!: string;

  @Field(enumType(billingIntervals), { description: billingIntervals.meaning })
  interval!: string;

  @Field(() => Int, { description: "Number of subscriptions." })
  count!: number;

  @Field(() => Float, { description: "Monthly value in AUD cents, without GST." })
  monthlyCents!: number;
}

@VisibleTo("admin")
@ObjectType({ description: "Active subscriptions, and subscriptions started and ended in the period." })
export class DashboardSubscriptions {
  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => DashboardFigure, {
    description:
      "Number of paid subscriptions, including cancelled ones until their period ends. Past-due subscriptions are excluded.",
  })
  active!: DashboardFigure;

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => DashboardFigure, {
    description:
      "Monthly value of active subscriptions in AUD cents, without GST. Yearly subscriptions count a twelfth. `before` is the current value of the subscriptions active at the start of the period.",
  })
  monthlyCents!: DashboardFigure;

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => [DashboardPlan], { description: "Active subscriptions by plan price, highest product level first." })
  plans!: DashboardPlan[];

  @Field(() => Int, {
    description: "Number of active subscriptions that were cancelled and end with their current period.",
  })
  leaving!: number;

  @Field(() => Int, {
    description:
      "Number of subscriptions whose last renewal failed or whose paid period has expired. Not included in other current figures.",
  })
  pastDue!: number;

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => DashboardFigure, { description: "Subscriptions that began in the period." })
  begun!: DashboardFigure;

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => DashboardFigure, { description: "Subscriptions that ended in the period." })
  ended!: DashboardFigure;

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => DashboardFigure, {
    description: "Number of subscriptions active at the start of the period that ended in it.",
  })
  churned!: DashboardFigure;

  @Field(() => Int, {
    description:
      "Number of subscriptions active at the start of the period. The churn rate is `churned.value` divided by this.",
  })
  activeAtStart!: number;

  @Field(() => Int, {
    description:
      "Number of subscriptions active at the start of the previous period. Its churn rate is `churned.before` divided by this.",
  })
  activeAtStartBefore!: number;

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => [DashboardCount], { description: "Subscriptions that began, in parts of the period." })
  begunCourse!: DashboardCount[];

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => [DashboardCount], { description: "Subscriptions that ended, in parts of the period." })
  endedCourse!: DashboardCount[];
}

@VisibleTo("admin")
@ObjectType({ description: "Licence requests of add-ins on one day or in one week." })
export class DashboardActivityPart {
  @Field(() => DayScalar, {
    description: "The day, or the first day of the week, in the vendor's time zone.",
  })
  date!: string;

  @Field(() => Float, { description: "Number of activations." })
  activations!: number;

  @Field(() => Float, { description: "Number of licence checks." })
  validations!: number;

  @Field(() => Float, { description: "Number of refused requests." })
  refusals!: number;

  @Field(() => Float, { description: "Number of refusals because the machine is blocked." })
  blocked!: number;
}

@VisibleTo("admin")
@ObjectType({ description: "Licence requests of add-ins in the period." })
export class DashboardActivity {
  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => DashboardFigure, { description: "Number of successful activations, online or by licence file." })
  activations!: DashboardFigure;

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => DashboardFigure, { description: "Number of successful licence validations." })
  validations!: DashboardFigure;

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => DashboardFigure, { description: "Number of refused requests of any kind." })
  refusals!: DashboardFigure;

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => DashboardFigure, { description: "Number of refusals because the machine is blocked." })
  blocked!: DashboardFigure;

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => [DashboardActivityPart], { description: "The same figures in parts of the period, in order." })
  course!: DashboardActivityPart[];

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => [DashboardActivityPart], { description: "Requests on each day of the period, newest first." })
  days!: DashboardActivityPart[];

  @Field(() => Date, {
    nullable: true,
    description: "Set while older events are still being counted. The figures are incomplete from this time on.",
  })
  behindSince!: Date | null;
}

@VisibleTo("admin")
@ObjectType({ description: "A version of the add-in in use." })
export class DashboardVersion {
  @Field(() => String, { description: "The version, such as 7.2.0." })
  version!: string;

  @Field(() => Int, { description: "Number of devices with the version." })
  devices!: number;

  @Field(enumType(versionComparisons), { description: versionComparisons.meaning })
  standing!: string;
}

@VisibleTo("admin")
@ObjectType({ description: `Add-in versions of devices seen in the last ${SEEN_DAYS} days.` })
export class DashboardVersions {
  @Field(() => Int, { description: "Number of devices seen." })
  devices!: number;

  @Field(() => String, { nullable: true, description: "Latest version published in Production." })
  latest!: string | null;

  @Field(() => String, { nullable: true, description: "Minimum version in Production. Older versions are refused." })
  minimum!: string | null;

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => [DashboardVersion], { description: "The most used versions, at most 12." })
  versions!: DashboardVersion[];

  @Field(() => Int, { description: "Number of devices with other versions." })
  others!: number;
}

@VisibleTo("admin")
@ObjectType({ description: `Paid licences that expire in the next ${EXPIRING_DAYS} days without renewal.` })
export class DashboardExpiring {
  @Field(() => Int, { description: "Number of licences." })
  count!: number;

  @Allow("admin", { roles: customerStaff, scope: "reports:read" })
  @Field(() => [DashboardCount], { description: "Number of expiring licences by week, starting now." })
  course!: DashboardCount[];
}

@VisibleTo("admin")
@ObjectType({ description: "Key figures of the business over a period." })
export class Dashboard {
  @Field(() => Int, { description: "Length of the period in days." })
  days!: number;

  @Field(() => Date, {
    description: "Start of the period's first day in the vendor's time zone. The period ends now.",
  })
  from!: Date;
}

@VisibleTo("admin")
@ObjectType({ description: "A record counted by a figure, with its user." })
export class DashboardRow {
  @Field(() => ID, { description: "Unique ID." })
  id!: string;

  @Field(() => Date, { description: "Time of the event, past or future, in UTC." })
  at!: Date;

  @Field(() => String, { description: "Description of the record as a short phrase." })
  what!: string;

  @Field(() => ID, { nullable: true, description: "The licence concerned. Null if there is none." })
  licenceId!: string | null;

  @Scope("users:read")
  @Field(() => User, { description: "The user concerned." })
  user!: User;
}

@VisibleTo("admin")
@ObjectType({ description: "A page of the records counted by a figure." })
export class DashboardPage extends Page {
  @Scope("reports:read")
  @Field(() => [DashboardRow], { description: "The records of the page." })
  rows!: DashboardRow[];
}
