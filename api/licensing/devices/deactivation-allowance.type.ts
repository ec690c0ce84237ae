import { createType, field } from "#api/platform/graphql/create-type.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";

export const YearlyAllowance = createType(
  "DeactivationAllowance",
  VisibleTo("signedIn"),
  "Number of devices that a customer can deactivate within a year.",
  {
    limit: field.integer("Number of deactivations allowed within a year. 0 means none."),
    used: field.integer(
      "Number of deactivations by the customer since the last reset or in the last year, whichever is shorter.",
    ),
    remaining: field.integer("Number of deactivations that the customer has left."),
    nextFreeAt: field.moment(
      "The date another deactivation becomes available, in UTC. Null if no deactivation counts at the moment.",
      { nullable: true },
    ),
    resetAt: field.moment("The date staff last reset the count, in UTC.", { nullable: true }),
  },
);
export type YearlyAllowance = InstanceType<typeof YearlyAllowance>;
