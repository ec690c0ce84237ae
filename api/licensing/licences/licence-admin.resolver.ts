import { Arg, Ctx, Field, ID, InputType, Int, Mutation, Resolver } from "type-graphql";
import {
  formatLegend,
  licenceActivationTypes,
  licenceCategories,
  licenceTypes,
  productLevels,
} from "#schema/catalogue.ts";
import { licenceDefaults } from "#schema/fields/licence.ts";
import {
  addLicenceRules,
  type AddLicenceValues,
  changeSeatsRules,
  type ChangeSeatsValues,
  updateLicenceRules,
  type UpdateLicenceValues,
} from "#schema/rules/licence.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { addLicence } from "./add-licence.ts";
import { changeSeats } from "./change-seats.ts";
import { deactivateLicence } from "./deactivate-licence.ts";
import { Licence } from "./licence.entity.ts";
import { reinstateLicence } from "./reinstate-licence.ts";
import { updateLicence } from "./update-licence.ts";

const dateDescription = "ISO 8601, or YYYY-MM-DD for the end of that day; UTC.";

@InputType({ description: "A new licence." })
export class AddLicenceInput implements AddLicenceValues {
  @Field(() => Int, { description: formatLegend(licenceActivationTypes) })
  licenceActivationType!: number;

  @Field(() => Int, { description: "Number of seats of a concurrent licence, 1 to 1000." })
  numberOfUsers!: number;

  @Field(() => Int, { description: "Number of devices that can be activated, 1 to 1000." })
  numberOfMachines!: number;

  @Field(() => Int, {
    defaultValue: licenceDefaults.limitFloatingLeasePeriodToHours,
    description:
      "Lease period of activation type 1, 1 to 24 hours. For other types, the longest time a seat can be borrowed; 0 if seats can't be borrowed.",
  })
  limitFloatingLeasePeriodToHours!: number;

  @Field(() => Int, {
    defaultValue: licenceDefaults.floatingHeartBeatIntervalMinutes,
    description: "Minutes between heartbeats, 1 to 60. Used by activation type 2.",
  })
  floatingHeartBeatIntervalMinutes!: number;

  @Field(() => Int, { description: formatLegend(productLevels) })
  productLevel!: number;

  @Field(() => Int, { description: formatLegend(licenceTypes) })
  licenceType!: number;

  @Field(() => Int, { description: formatLegend(licenceCategories) })
  licenceCategory!: number;

  @Field(() => String, { nullable: true, description: "Required for licence type 4 (Project); ignored for others." })
  projectTerm?: string;

  @Field(() => String, { description: dateDescription })
  expiryDate!: AddLicenceValues["expiryDate"];

  @Field(() => String, { nullable: true })
  purchaseOrderNumber?: string;

  @Field(() => Boolean, { defaultValue: licenceDefaults.allowOnVms })
  allowOnVms!: boolean;
}

@InputType({ description: "Values of a licence when the form was opened." })
export class LicenceTermsInput {
  @Field(() => Date)
  expiresAt!: Date;

  @Field(() => Int)
  licenceCategory!: number;

  @Field(() => String, { nullable: true })
  purchaseOrderNumber!: string | null;

  @Field(() => String, { nullable: true })
  projectTerm!: string | null;
}

@InputType({ description: "New values of a licence." })
export class UpdateLicenceInput implements UpdateLicenceValues {
  @Field(() => Int, { description: formatLegend(licenceCategories) })
  licenceCategory!: number;

  @Field(() => String, { description: dateDescription })
  expiryDate!: UpdateLicenceValues["expiryDate"];

  @Field(() => String, { nullable: true })
  purchaseOrderNumber?: string;

  @Field(() => String, { nullable: true, description: "Required for licence type 4 (Project); ignored for others." })
  projectTerm?: string;

  @Field(() => Int, {
    nullable: true,
    description: "Conversions that a trial includes, with those already used. Stays as it is if left out.",
  })
  usageLimit?: number;
}

@InputType({ description: "The use that a licence allows." })
export class ChangeSeatsInput implements ChangeSeatsValues {
  @Field(() => Int, { description: "Number of seats of a concurrent licence, 1 to 1000." })
  numberOfUsers!: number;

  @Field(() => Int, { description: "Number of devices that can be activated, 1 to 1000." })
  numberOfMachines!: number;

  @Field(() => Boolean)
  allowOnVms!: boolean;
}

@Resolver(() => Licence)
export class LicenceAdminResolver {
  @Allow("admin", { roles: ["support"], scope: "licences:write" })
  @Check({ input: addLicenceRules })
  @Mutation(() => Licence, { description: "Creates a licence for a customer and emails the licence code." })
  async addLicence(
    @Arg("userId", () => ID) userId: string,
    @Arg("input", () => AddLicenceInput) input: AddLicenceInput,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return addLicence(context, userId, input);
  }

  @Allow("admin", { roles: ["support"], scope: "licences:write" })
  @Check({ input: updateLicenceRules })
  @Mutation(() => Licence, {
    description:
      "Changes the expiry date, category, purchase order number, project term and, for a trial, the conversions of a licence.",
  })
  async updateLicence(
    @Arg("userId", () => ID) userId: string,
    @Arg("licenceId", () => ID) licenceId: string,
    @Arg("input", () => UpdateLicenceInput) input: UpdateLicenceInput,
    @Arg("began", () => LicenceTermsInput, {
      nullable: true,
      description:
        "Values when the form was opened. If the licence has changed since, the mutation changes nothing and returns CONFLICT.",
    })
    began: LicenceTermsInput | undefined,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return updateLicence(context, userId, licenceId, input, began ?? undefined);
  }

  @Allow("admin", { roles: ["support"], scope: "licences:write" })
  @Check({ input: changeSeatsRules })
  @Mutation(() => Licence, {
    description:
      "Changes how many users and machines a licence allows. Returns `CONFLICT` if more devices are active or more seats are in use.",
  })
  async changeLicenceSeats(
    @Arg("userId", () => ID) userId: string,
    @Arg("licenceId", () => ID) licenceId: string,
    @Arg("input", () => ChangeSeatsInput) input: ChangeSeatsInput,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return changeSeats(context, userId, licenceId, input);
  }

  @Allow("admin", { roles: ["support"], scope: "licences:write" })
  @Mutation(() => Licence, {
    description:
      "Reinstates a licence that staff deactivated, with its code, devices and expiry date. Doesn't resume a subscription.",
  })
  async reinstateLicence(
    @Arg("userId", () => ID) userId: string,
    @Arg("licenceId", () => ID) licenceId: string,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return reinstateLicence(context, userId, licenceId);
  }

  @Allow("admin", { roles: ["support"], scope: "licences:write" })
  @Mutation(() => Licence, {
    description:
      "Deactivates a licence and ends the subscription that pays for it. `reinstateLicence` lets the licence work again.",
  })
  async deactivateLicence(
    @Arg("userId", () => ID) userId: string,
    @Arg("licenceId", () => ID) licenceId: string,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return deactivateLicence(context, userId, licenceId);
  }
}
