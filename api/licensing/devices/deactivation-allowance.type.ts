import { Field, Int, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";

@VisibleTo("signedIn")
@ObjectType("DeactivationAllowance", { description: "Number of devices that a customer can deactivate within a year." })
export class YearlyAllowance {
  @Field(() => Int, { description: "Number of deactivations allowed within a year. 0 means none." })
  readonly limit!: number;

  @Field(() => Int, {
    description:
      "Number of deactivations by the customer since the last reset or in the last year, whichever is shorter.",
  })
  readonly used!: number;

  @Field(() => Int, { description: "Number of deactivations that the customer has left." })
  readonly remaining!: number;

  @Field(() => Date, {
    nullable: true,
    description:
      "The date another deactivation becomes available, in UTC. Null if no deactivation counts at the moment.",
  })
  readonly nextFreeAt!: Date | null;

  @Field(() => Date, { nullable: true, description: "The date staff last reset the count, in UTC." })
  readonly resetAt!: Date | null;
}
