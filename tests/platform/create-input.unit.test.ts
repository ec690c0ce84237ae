import "reflect-metadata";
import { printType } from "graphql";
import { buildSchemaSync, ID, Query, Resolver } from "type-graphql";
import { array, boolean, date, number, object, string } from "yup";
import { expect, test } from "vitest";
import { checkAllowed } from "#api/platform/graphql/declare.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";

const seatRules = object({ userId: string().required(), since: date() });

const teamRules = object({
  name: string().required(),
  note: string(),
  code: string().defined(),
  owner: string().required().nullable(),
  size: number().default(3),
  isOpen: boolean().default(false),
  lead: seatRules.optional().default(undefined),
  seats: array(seatRules).required(),
  tags: array(string().required()),
  reason: string().when("isOpen", { is: true, then: (rule) => rule.required() }),
});
type Team = ReturnType<typeof teamRules.validateSync>;

const SeatInput = createInput("SeatInput", seatRules, { fields: { userId: { type: ID } } });
const TeamInput = createInput("TeamInput", teamRules, {
  description: "A team.",
  fields: {
    name: "Shown to customers.",
    isOpen: { nullable: true, description: "Closed if omitted." },
    lead: { input: SeatInput },
    seats: { input: SeatInput },
  },
});

@Resolver()
class TeamResolver {
  @Query(() => String)
  team(@CheckedArg("input", TeamInput) input: Team): string {
    return input.name;
  }
}

test("builds the input that the rule accepts", () => {
  const schema = buildSchemaSync({ resolvers: [TeamResolver], validate: false, authChecker: checkAllowed });
  const print = (name: string) => printType(schema.getTypeMap()[name]!);
  expect(print("TeamInput")).toBe(`"""A team."""
input TeamInput {
  """Shown to customers."""
  name: String!
  note: String
  code: String!
  owner: String
  size: Int! = 3

  """Closed if omitted."""
  isOpen: Boolean
  lead: SeatInput
  seats: [SeatInput!]!
  tags: [String!]
  reason: String
}`);
  expect(print("SeatInput")).toBe(`input SeatInput {
  """The user."""
  userId: ID!
  since: DateTime
}`);
});

test("rejects a field whose input has another rule", () => {
  const rules = object({ lead: seatRules.shape({ since: date().required() }) });
  expect(() => createInput("OtherInput", rules, { fields: { lead: { input: SeatInput } } })).toThrow(
    "OtherInput.lead needs the input of its rule.",
  );
  expect(() => createInput("OtherInput", rules)).toThrow("OtherInput.lead needs the input of its rule.");
});
