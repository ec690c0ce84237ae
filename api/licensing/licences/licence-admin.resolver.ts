import { Arg, Ctx, Field, ID, InputType, Int, Mutation, Resolver } from "type-graphql";
import { legend, licenceActivationTypes, licenceCategories, licenceTypes, productLevels } from "#schema/catalogue.ts";
import { licenceDefaults } from "#schema/fields/licence.ts";
import {
  addLicenceRules,
  type AddLicenceValues,
  updateLicenceRules,
  type UpdateLicenceValues,
} from "#schema/rules/licence.ts";
import { Allow, Check } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { addLicence } from "./add-licence.ts";
import { deactivateLicence } from "./deactivate-licence.ts";
import { Licence } from "./licence.entity.ts";
import { updateLicence } from "./update-licence.ts";

const dateIn = "ISO 8601 or YYYY-MM-DD, which includes that day; UTC.";

@InputType({ description: "A new licence." })
export class AddLicenceInput implements AddLicenceValues {
  @Field(() => Int, { description: legend(licenceActivationTypes) })
  licenceActivationType!: number;

  @Field(() => Int, { description: "Seats of a concurrent licence; 1 to 1000." })
  numberOfUsers!: number;

  @Field(() => Int, { description: "1 to 1000." })
  numberOfMachines!: number;

  @Field(() => Int, {
    defaultValue: licenceDefaults.limitFloatingLeasePeriodToHours,
    description: "1 to 24 with activation type 1; with others how long a seat may be borrowed, 0 for not at all.",
  })
  limitFloatingLeasePeriodToHours!: number;

  @Field(() => Int, {
    defaultValue: licenceDefaults.floatingHeartBeatIntervalMinutes,
    description: "1 to 60 with activation type 2.",
  })
  floatingHeartBeatIntervalMinutes!: number;

  @Field(() => Int, { description: legend(productLevels) })
  productLevel!: number;

  @Field(() => Int, { description: legend(licenceTypes) })
  licenceType!: number;

  @Field(() => Int, { description: legend(licenceCategories) })
  licenceCategory!: number;

  @Field(() => String, { nullable: true, description: "Needed for type 4, Project; dropped for others." })
  projectTerm?: string;

  @Field(() => String, { description: dateIn })
  expiryDate!: AddLicenceValues["expiryDate"];

  @Field(() => String, { nullable: true })
  purchaseOrderNumber?: string;

  @Field(() => Boolean, { defaultValue: licenceDefaults.allowOnVms })
  allowOnVms!: boolean;
}

@InputType({ description: "What a form showed of a licence before it was changed." })
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

@InputType({ description: "What of a licence is changed." })
export class UpdateLicenceInput implements UpdateLicenceValues {
  @Field(() => Int, { description: legend(licenceCategories) })
  licenceCategory!: number;

  @Field(() => String, { description: dateIn })
  expiryDate!: UpdateLicenceValues["expiryDate"];

  @Field(() => String, { nullable: true })
  purchaseOrderNumber?: string;

  @Field(() => String, { nullable: true, description: "Needed for type 4, Project; dropped for others." })
  projectTerm?: string;
}

@Resolver(() => Licence)
export class LicenceAdminResolver {
  @Allow("admin")
  @Check({ input: addLicenceRules })
  @Mutation(() => Licence, { description: "Gives a customer a licence and mails them its code." })
  async addLicence(
    @Arg("userId", () => ID) userId: string,
    @Arg("input", () => AddLicenceInput) input: AddLicenceInput,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return addLicence(context, userId, input);
  }

  @Allow("admin")
  @Check({ input: updateLicenceRules })
  @Mutation(() => Licence, { description: "Changes expiry, category, purchase order and project term." })
  async updateLicence(
    @Arg("userId", () => ID) userId: string,
    @Arg("licenceId", () => ID) licenceId: string,
    @Arg("input", () => UpdateLicenceInput) input: UpdateLicenceInput,
    @Arg("began", () => LicenceTermsInput, {
      nullable: true,
      description: "What the form showed: if the licence is different by now, it is left alone and CONFLICT says so.",
    })
    began: LicenceTermsInput | undefined,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return updateLicence(context, userId, licenceId, input, began ?? undefined);
  }

  @Allow("admin")
  @Mutation(() => Licence, { description: "Deactivates a licence for good; a subscription behind it ends too." })
  async deactivateLicence(
    @Arg("userId", () => ID) userId: string,
    @Arg("licenceId", () => ID) licenceId: string,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return deactivateLicence(context, userId, licenceId);
  }
}
