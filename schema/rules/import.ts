import { type InferType, object } from "yup";
import { importedActivationTypes, importedMemberTypes } from "#schema/bulk.ts";
import {
  licenceCategories,
  licenceDefaults,
  licenceFields,
  licenceTypes,
  needsHeartbeat,
  needsProjectTerm,
} from "#schema/licence.ts";
import { productLevels } from "#schema/product-level.ts";
import { defaultDeactivationLimit } from "#schema/limits.ts";
import { choiceCell, lastDayCell, wholeNumberCell, yesNoCell } from "./cells.ts";
import { abn } from "#schema/billing-details.ts";
import { getRules } from "#schema/field.ts";
import { keyLine } from "#schema/text.ts";
import { createUserFields } from "#schema/user.ts";

/** Rules for a user in an import: like Create User, with an ABN and without a password. Admins can't be imported. */
export const importUserRules = object(createUserFields)
  .omit(["issuedW8Form", "completedSecurityInformation", "completedSoftwareQA", "hasCompletedTrial"])
  .shape({
    abn: abn(),
    memberType: choiceCell(createUserFields.memberType, importedMemberTypes, "Must be Regular or Corporate."),
    annualDeactivationLimit: wholeNumberCell(createUserFields.annualDeactivationLimit, defaultDeactivationLimit),
    isTester: yesNoCell(createUserFields.isTester),
    isServiceProvider: yesNoCell(createUserFields.isServiceProvider),
    isSubscribedToNewsLetter: yesNoCell(createUserFields.isSubscribedToNewsLetter),
  });
export type ImportUserValues = InferType<typeof importUserRules>;

const rules = getRules(licenceFields);
const { floatingHeartBeatIntervalMinutes: defaultHeartbeat } = licenceDefaults;

/** Rules for a licence in an import: like Add Licence, with the email address of its user. */
export const importLicenceRules = object(rules)
  .omit(["limitFloatingLeasePeriodToHours"])
  .shape({
    email: keyLine(254).required("Email is required."),
    productLevel: choiceCell(rules.productLevel, productLevels, "Must be a product level, such as 2 or Professional."),
    licenceType: choiceCell(rules.licenceType, licenceTypes, "Must be a licence type, such as 1 or Single User."),
    licenceCategory: choiceCell(
      rules.licenceCategory,
      licenceCategories,
      "Must be a licence category, such as 1 or None.",
    ),
    licenceActivationType: choiceCell(
      rules.licenceActivationType,
      importedActivationTypes,
      "Must be Standard or Concurrent.",
    ),
    expiryDate: lastDayCell(rules.expiryDate),
    numberOfUsers: wholeNumberCell(rules.numberOfUsers, licenceDefaults.numberOfUsers),
    numberOfMachines: wholeNumberCell(rules.numberOfMachines, licenceDefaults.numberOfMachines),
    // A file may fill in this column for all licences, but only those with heartbeats use it.
    floatingHeartBeatIntervalMinutes: wholeNumberCell(rules.floatingHeartBeatIntervalMinutes, defaultHeartbeat).when(
      "licenceActivationType",
      {
        is: (type: unknown) => !needsHeartbeat(type),
        then: (rule) => rule.transform(() => defaultHeartbeat),
      },
    ),
    projectTerm: rules.projectTerm.when("licenceType", {
      is: (type: unknown) => !needsProjectTerm(type),
      then: (rule) => rule.test("no-project", "Only for the licence type Project.", (value) => !value),
    }),
    allowOnVms: yesNoCell(rules.allowOnVms),
  });
export type ImportLicenceValues = InferType<typeof importLicenceRules>;
