import { Field, Float, ID, InputType, Int, ObjectType } from "type-graphql";
import { User } from "#api/people/users/user.entity.ts";
import { Allow } from "#api/platform/allow.ts";
import { EXPIRING_DAYS, SEEN_DAYS } from "#schema/rules/dashboard.ts";

@ObjectType({ description: "A number of the period, and the one to compare it with." })
export class DashboardFigure {
  @Field(() => Float)
  value!: number;

  @Field(() => Float, { description: "In the period before; for what is at one moment, at the period's start." })
  before!: number;
}

@ObjectType({ description: "Trials that started on one day, or in the week that began with it." })
export class DashboardTrialsPart {
  @Field(() => String, { description: "YYYY-MM-DD, in the vendor's time zone." })
  date!: string;

  @Field(() => Int)
  started!: number;

  @Field(() => Int, { description: "Of them, those whose user subscribed since." })
  converted!: number;
}

@ObjectType({ description: "Trials of the period." })
export class DashboardTrials {
  @Allow("admin")
  @Field(() => DashboardFigure)
  started!: DashboardFigure;

  @Allow("admin")
  @Field(() => DashboardFigure, {
    description:
      "Of those that started in the period, the trials whose user began a subscription then or at any time since.",
  })
  converted!: DashboardFigure;

  @Allow("admin")
  @Field(() => [DashboardTrialsPart], { description: "By days, or by weeks where the period is longer than 31 days." })
  course!: DashboardTrialsPart[];
}

@ObjectType({ description: "How many on one day, or in the week that began with it." })
export class DashboardCount {
  @Field(() => String, { description: "YYYY-MM-DD, in the vendor's time zone." })
  date!: string;

  @Field(() => Int)
  count!: number;
}

@ObjectType({ description: "Active subscriptions of one plan price." })
export class DashboardPlan {
  @Field(() => String, { description: "Price id, such as xer-professional-yearly." })
  planPrice!: string;

  @Field(() => String)
  plan!: string;

  @Field(() => String, { description: "monthly or yearly." })
  interval!: string;

  @Field(() => Int)
  count!: number;

  @Field(() => Float, { description: "AUD cents a month without GST." })
  monthlyCents!: number;
}

@ObjectType({ description: "Subscriptions: what runs now, and what began and ended in the period." })
export class DashboardSubscriptions {
  @Allow("admin")
  @Field(() => DashboardFigure, {
    description: "Those that are paid for, cancelled ones until their period ends too. Past-due ones are not active.",
  })
  active!: DashboardFigure;

  @Allow("admin")
  @Field(() => DashboardFigure, {
    description:
      "AUD cents a month without GST of the active ones, yearly ones by their twelfth; before: what ran at the period's start, at what it pays now.",
  })
  monthlyCents!: DashboardFigure;

  @Allow("admin")
  @Field(() => [DashboardPlan], { description: "Highest level first." })
  plans!: DashboardPlan[];

  @Field(() => Int, { description: "Of the active ones, how many were cancelled and end with their period." })
  leaving!: number;

  @Field(() => Int, {
    description: "Those whose last renewal failed or whose paid time has expired; in no other figure of this moment.",
  })
  pastDue!: number;

  @Allow("admin")
  @Field(() => DashboardFigure)
  begun!: DashboardFigure;

  @Allow("admin")
  @Field(() => DashboardFigure)
  ended!: DashboardFigure;

  @Allow("admin")
  @Field(() => DashboardFigure, { description: "Of those that ran at the period's start, what ended in it." })
  churned!: DashboardFigure;

  @Field(() => Int, { description: "Churn is `churned.value` over this." })
  activeAtStart!: number;

  @Field(() => Int, { description: "Churn of the period before is `churned.before` over this." })
  activeAtStartBefore!: number;

  @Allow("admin")
  @Field(() => [DashboardCount])
  begunCourse!: DashboardCount[];

  @Allow("admin")
  @Field(() => [DashboardCount])
  endedCourse!: DashboardCount[];
}

@ObjectType({ description: "What machines asked on one day, or in the week that began with it." })
export class DashboardActivityPart {
  @Field(() => String, { description: "YYYY-MM-DD, in the vendor's time zone." })
  date!: string;

  @Field(() => Float)
  activations!: number;

  @Field(() => Float)
  validations!: number;

  @Field(() => Float)
  refusals!: number;

  @Field(() => Float, { description: "Of the refusals, those of blocked machines." })
  blocked!: number;
}

@ObjectType({ description: "What machines asked." })
export class DashboardActivity {
  @Allow("admin")
  @Field(() => DashboardFigure, { description: "Devices given their place, online or by a licence file." })
  activations!: DashboardFigure;

  @Allow("admin")
  @Field(() => DashboardFigure, { description: "Questions 'may I run?' that were answered yes." })
  validations!: DashboardFigure;

  @Allow("admin")
  @Field(() => DashboardFigure, { description: "Questions of any kind that were answered no." })
  refusals!: DashboardFigure;

  @Allow("admin")
  @Field(() => DashboardFigure, { description: "Of the refusals, those of blocked machines." })
  blocked!: DashboardFigure;

  @Allow("admin")
  @Field(() => [DashboardActivityPart])
  course!: DashboardActivityPart[];

  @Allow("admin")
  @Field(() => [DashboardActivityPart], { description: "Each day of the period, newest first." })
  days!: DashboardActivityPart[];

  @Field(() => Date, {
    nullable: true,
    description: "Set while older events are still being added up: what happened since then is not all in the figures.",
  })
  behindSince!: Date | null;
}

@ObjectType({ description: "One version of the add-in in use." })
export class DashboardVersion {
  @Field(() => String)
  version!: string;

  @Field(() => Int)
  devices!: number;

  @Field(() => String, {
    description:
      "latest, newer, older or refused (below the minimum), against Production; unknown where nothing is published.",
  })
  standing!: string;
}

@ObjectType({ description: `Versions of devices that asked in the last ${SEEN_DAYS} days.` })
export class DashboardVersions {
  @Field(() => Int)
  devices!: number;

  @Field(() => String, { nullable: true, description: "Published in Production." })
  latest!: string | null;

  @Field(() => String, { nullable: true, description: "Older ones are refused in Production." })
  minimum!: string | null;

  @Allow("admin")
  @Field(() => [DashboardVersion], { description: "The most used, at most 12." })
  versions!: DashboardVersion[];

  @Field(() => Int, { description: "Devices with further versions." })
  others!: number;
}

@ObjectType({ description: `Paid licences that expire in the next ${EXPIRING_DAYS} days and that nothing renews.` })
export class DashboardExpiring {
  @Field(() => Int)
  count!: number;

  @Allow("admin")
  @Field(() => [DashboardCount], { description: "By weeks from now." })
  course!: DashboardCount[];
}

@ObjectType({ description: "How the business goes." })
export class Dashboard {
  @Field(() => Int)
  days!: number;

  @Field(() => Date, {
    description: "Beginning of the period's first day in the vendor's time zone; the period ends now.",
  })
  from!: Date;
}

@ObjectType({ description: "One thing that a figure counts, and whose it is." })
export class DashboardRow {
  @Field(() => ID)
  id!: string;

  @Field(() => Date, { description: "When it happened, or will; UTC." })
  at!: Date;

  @Field(() => String, { description: "In words." })
  what!: string;

  @Field(() => ID, { nullable: true })
  licenceId!: string | null;

  @Field(() => User)
  user!: User;
}

@ObjectType({ description: "A page of what a figure counts." })
export class DashboardPage {
  @Field(() => [DashboardRow])
  rows!: DashboardRow[];

  @Field(() => Int, { description: "The figure, where nothing is searched for." })
  total!: number;
}

@InputType({ description: "Which part of a list." })
export class DashboardFilter {
  @Field(() => String, {
    nullable: true,
    description: "One plan price of subscriptions-active, one version of devices-seen.",
  })
  only?: string | null;

  @Field(() => String, { nullable: true, description: "Words matched at word starts in name, company and email." })
  search?: string;

  @Field(() => Int, { defaultValue: 0, description: "At most 100,000." })
  offset: number = 0;

  @Field(() => Int, { defaultValue: 10, description: "At most 100." })
  limit: number = 10;
}
