import { Field, Int, ObjectType } from "type-graphql";

/** Deactivations a customer may make within a year, and those made. */
@ObjectType("DeactivationAllowance", { description: "How many devices a customer may free within a year." })
export class YearlyAllowance {
  @Field(() => Int, { description: "Devices that may be freed within a year; 0 means none." })
  readonly limit!: number;

  @Field(() => Int, {
    description: "Devices the customer freed since the last reset or a year ago, the later of both.",
  })
  readonly used!: number;

  @Field(() => Int)
  readonly remaining!: number;

  @Field(() => Date, {
    nullable: true,
    description:
      "When one more may be freed than now, as the oldest counted one lapses, UTC; null when none is counted.",
  })
  readonly nextFreeAt!: Date | null;

  @Field(() => Date, { nullable: true, description: "When staff last reset the count, UTC." })
  readonly resetAt!: Date | null;
}
