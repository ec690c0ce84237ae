import { Arg, Ctx, ID, Mutation, Resolver } from "type-graphql";
import {
  addLicenceRules,
  type AddLicenceValues,
  changeSeatsRules,
  type ChangeSeatsValues,
  updateLicenceRules,
  type UpdateLicenceValues,
  addLicenceBodyRules,
  licenceFields,
} from "#schema/licence.ts";
import { extendTrialRules, type ExtendTrialValues, type TrialTerms, trialTermsRules } from "#schema/trial.ts";
import { Allow } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { CheckedArg, createInput } from "#api/platform/graphql/create-input.ts";
import { addLicence } from "./add-licence.ts";
import { changeSeats, type LicenceTerms, licenceTermsRules, updateLicence } from "./update-licence.ts";
import { deactivateLicence } from "./deactivate-licence.ts";
import { extendTrial } from "./extend-trial.ts";
import { Licence } from "./licence.entity.ts";
import { reinstateLicence } from "./reinstate-licence.ts";
import { getExample } from "#schema/field.ts";
import { id, routesOf } from "#api/platform/http/define-route.ts";
import { exampleIds, param } from "#api/platform/http/route-examples.ts";

const dateDescription = "The expiry. A day without a time means its end, in UTC.";

const AddLicenceInput = createInput("AddLicenceInput", addLicenceRules, {
  description: "A new licence.",
  fields: {
    numberOfUsers: "Number of seats of a concurrent licence, 1 to 1000.",
    numberOfMachines: "Number of devices that can be activated, 1 to 1000.",
    limitFloatingLeasePeriodToHours:
      "Lease period of `FLOATING_WITH_LEASE_PERIOD`, 1 to 24 hours. For other activation types, the longest time a seat can be borrowed; 0 if seats can't be borrowed.",
    floatingHeartBeatIntervalMinutes: "Minutes between heartbeats, 1 to 60. Used by `CONCURRENT` licences.",
    projectTerm: "Required for the licence type `PROJECT`; ignored for others.",
    expiryDate: dateDescription,
  },
});

const LicenceTermsInput = createInput("LicenceTermsInput", licenceTermsRules, {
  description: "Values of a licence when the form was opened.",
  fields: { usageLimit: "Conversions that a trial includes. Not compared if left out." },
});

const UpdateLicenceInput = createInput("UpdateLicenceInput", updateLicenceRules, {
  description: "New values of a licence.",
  fields: {
    expiryDate: dateDescription,
    projectTerm: "Required for the licence type `PROJECT`; ignored for others.",
    usageLimit: "Conversions that a trial includes, with those already used. Stays as it is if left out.",
  },
});

const ChangeSeatsInput = createInput("ChangeSeatsInput", changeSeatsRules, {
  description: "The use that a licence allows.",
  fields: {
    numberOfUsers: "Number of seats of a concurrent licence, 1 to 1000.",
    numberOfMachines: "Number of devices that can be activated, 1 to 1000.",
  },
});

const ExtendTrialInput = createInput("ExtendTrialInput", extendTrialRules, {
  description: "What a trial gets more of: days, conversions or both.",
  fields: {
    days: "Days from the end of the trial, or from now if it has ended, up to 90.",
    conversions: "Conversions besides those that the trial includes, up to 1000.",
    reason: "Why, for the audit log.",
  },
});

const TrialTermsInput = createInput("TrialTermsInput", trialTermsRules, {
  description: "The terms of a trial that an extension starts from.",
  fields: { usageLimit: "Conversions that the trial includes. Null if there is no limit." },
});

@Resolver(() => Licence)
export class LicenceAdminResolver {
  @Allow("admin", { roles: ["support"], harm: "money" })
  @Mutation(() => Licence, { description: "Creates a licence for a customer and emails the licence code." })
  async addLicence(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @CheckedArg("input", AddLicenceInput) input: AddLicenceValues,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return addLicence(context, userId, input);
  }

  @Allow("admin", { roles: ["support"], harm: "money" })
  @Mutation(() => Licence, {
    description:
      "Changes the expiry date, category, purchase order number, project term and, for a trial, the conversions of a licence.",
  })
  async updateLicence(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("licenceId", () => ID, { description: "The licence." }) licenceId: string,
    @CheckedArg("input", UpdateLicenceInput) input: UpdateLicenceValues,
    @CheckedArg("began", LicenceTermsInput, {
      nullable: true,
      description:
        "Values when the form was opened. If the licence has changed since, the mutation changes nothing and returns CONFLICT.",
    })
    began: LicenceTerms | undefined,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return updateLicence(context, userId, licenceId, input, began ?? undefined);
  }

  @Allow("admin", { roles: ["support"], harm: "money" })
  @Mutation(() => Licence, {
    description:
      "Changes how many users and machines a licence allows. Returns `CONFLICT` if more devices are active or more seats are in use.",
  })
  async changeLicenceSeats(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("licenceId", () => ID, { description: "The licence." }) licenceId: string,
    @CheckedArg("input", ChangeSeatsInput) input: ChangeSeatsValues,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return changeSeats(context, userId, licenceId, input);
  }

  @Allow("admin", { roles: ["support"], harm: "money" })
  @Mutation(() => Licence, {
    description:
      "Gives a customer more days and conversions of a trial. Returns `CONFLICT` if the trial has other terms than `terms`, so a repeated call changes nothing.",
  })
  async extendTrial(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("licenceId", () => ID, { description: "The licence." }) licenceId: string,
    @CheckedArg("input", ExtendTrialInput) input: ExtendTrialValues,
    @CheckedArg("terms", TrialTermsInput, { description: "The terms that the caller saw." }) terms: TrialTerms,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return extendTrial(context, userId, licenceId, { ...input, terms });
  }

  @Allow("admin", { roles: ["support"], scope: "licences:write", harm: "others" })
  @Mutation(() => Licence, {
    description:
      "Reinstates a licence that staff deactivated, with its code, devices and expiry date. Doesn't resume a subscription.",
  })
  async reinstateLicence(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("licenceId", () => ID, { description: "The licence." }) licenceId: string,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return reinstateLicence(context, userId, licenceId);
  }

  @Allow("admin", { roles: ["support"], harm: "destroy" })
  @Mutation(() => Licence, {
    description:
      "Deactivates a licence and ends the subscription that pays for it. `reinstateLicence` lets the licence work again.",
  })
  async deactivateLicence(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("licenceId", () => ID, { description: "The licence." }) licenceId: string,
    @Ctx() context: Context,
  ): Promise<Licence> {
    return deactivateLicence(context, userId, licenceId);
  }
}

const defineRoute = routesOf("Licences");
const example = getExample(licenceFields);
const { expiryDate, licenceCategory, purchaseOrderNumber, projectTerm } = example;

/** Calls for managing a customer's licences. */
export const adminLicenceRoutes = [
  defineRoute("POST /v1/admin/licence", {
    operation: "Mutation.addLicence",
    summary:
      "Create a licence for a customer. Returns the licence's id, or 409 for admins and for archived or deleted users",
    body: addLicenceBodyRules,
    bodyExample: { userId: exampleIds.user, ...example },
    errors: ["CONFLICT", "NOT_FOUND"],
    response: id,
    example: exampleIds.licence,
    handler: async ({ context, body: { userId, ...values } }) => (await addLicence(context, userId, values)).id,
  }),
  defineRoute("PUT /v1/admin/licence/:userId/:licenceId", {
    params: { userId: param.user, licenceId: param.licence },
    operation: "Mutation.updateLicence",
    summary:
      "Update a licence. Changes the expiry, category, purchase order number and project term, and the conversions of a trial (`usageLimit`). Returns 409 if the licence is deactivated",
    body: updateLicenceRules,
    bodyExample: { expiryDate, licenceCategory, purchaseOrderNumber, projectTerm },
    errors: ["CONFLICT"],
    handler: async ({ context, params, body }) => {
      await updateLicence(context, params.userId, params.licenceId, body);
    },
  }),
  defineRoute("DELETE /v1/admin/licence/:userId/:licenceId", {
    params: { userId: param.user, licenceId: param.licence },
    operation: "Mutation.deactivateLicence",
    summary: "Deactivate a licence. Also ends the licence's active subscription. Repeating the call changes nothing",
    errors: ["CONFLICT"],
    handler: async ({ context, params }) => {
      await deactivateLicence(context, params.userId, params.licenceId);
    },
  }),
];
