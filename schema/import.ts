import {
  type AnyObject,
  type BooleanSchema,
  type DateSchema,
  type Flags,
  type InferType,
  type NumberSchema,
  object,
} from "yup";
import { abn } from "./billing-details.ts";
import { cleanText, readTypedDay } from "./clean-text.ts";
import type { CatalogueEntry } from "./closed-list.ts";
import { DAY_MS } from "./dates.ts";
import { getRules } from "./field.ts";
import {
  licenceCategories,
  licenceDefaults,
  licenceFields,
  licenceTypes,
  needsHeartbeat,
  needsProjectTerm,
  offeredActivationTypes,
} from "./licence.ts";
import { defaultDeactivationLimit } from "./limits.ts";
import { endMoment } from "./moment.ts";
import { productLevels } from "./product-level.ts";
import { emailLine, mapText } from "./text.ts";
import { createUserFields, MemberType, memberTypes } from "./user.ts";

// Cells of imported files contain text instead of the numbers, booleans and dates that forms send. These functions extend
// the rule of a form, with its limits and messages, so that it also reads cells.

/** Returns the text of a cell or form field. Returns `?`, which no rule accepts, for other types of value. */
const toCellText = (original: unknown): string => {
  if (original === undefined || original === null) return "";
  return ["string", "number", "boolean"].includes(typeof original) ? cleanText(`${original as string}`).trim() : "?";
};

/** Extends a rule to accept the number or the label of a catalogue entry. `wrong` is the error message. */
const choiceCell = <Rule extends NumberSchema>(rule: Rule, list: readonly CatalogueEntry[], wrong: string) =>
  rule
    .transform((_value: unknown, original: unknown) => {
      const typed = toCellText(original).toLowerCase();
      if (typed === "") return undefined;
      return (
        list.find(({ value, label }) => typed === String(value) || typed === label.toLowerCase())?.value ?? Number.NaN
      );
    })
    .typeError(wrong) as Rule;

/** Extends the rule of a number to accept whole numbers only. An empty cell becomes `otherwise`. */
const wholeNumberCell = <Default, Flag extends Flags>(
  rule: NumberSchema<number | undefined, AnyObject, Default, Flag>,
  otherwise: number,
) =>
  rule
    .transform((value: unknown, original: unknown) => {
      const typed = toCellText(original);
      if (typed === "") return otherwise;
      // `1.000` is a thousand in some languages of spreadsheets.
      return typed.includes(".") ? Number.NaN : value;
    })
    .typeError("Must be a whole number.")
    .default(otherwise);

/** Extends a rule to accept Yes, No and common alternatives. An empty cell means No. */
const yesNoCell = <Default, Flag extends Flags>(rule: BooleanSchema<boolean | undefined, AnyObject, Default, Flag>) =>
  rule
    .strict(false)
    .transform((_value: unknown, original: unknown) => {
      const typed = toCellText(original).toLowerCase();
      if (["yes", "y", "true", "1", "x"].includes(typed)) return true;
      return ["", "no", "n", "false", "0"].includes(typed) ? false : "neither";
    })
    .typeError("Must be Yes or No.")
    .default(false);

/** Extends a rule to accept a day as spreadsheets write it, such as `DD/MM/YYYY`, as its end ({@link endMoment}). */
export const lastDayCell = <Rule extends DateSchema<Date | undefined>>(rule: Rule) =>
  rule.transform((value: unknown, original: unknown) => {
    const day = typeof original === "string" ? readTypedDay(original) : null;
    if (day !== null) return endMoment("").cast(day, { assert: false });
    // Reports have no milliseconds, and spreadsheets write their times in forms of their own.
    const isLastSecond = value instanceof Date && value.getTime() % DAY_MS === DAY_MS - 1_000;
    return isLastSecond ? new Date(value.getTime() + 999) : value;
  }) as Rule;

/** States where all post codes start with 0. */
const statesWithZero = new Set([
  "Australia NT",
  ..."CT MA ME NH NJ PR RI VI VT".split(" ").map((us) => `United States ${us}`),
]);

/** Extends the rule of a post code to restore the first zero, which spreadsheets leave out. */
const postCodeCell = createUserFields.postCode.when(["country", "state"], ([country, state], rule) =>
  statesWithZero.has(`${country} ${state}`)
    ? rule.transform(
        mapText((typed) => (/^\d{3,4}$/.test(typed) ? typed.padStart(country === "Australia" ? 4 : 5, "0") : typed)),
      )
    : rule,
);

/** Types of users that can be imported. Admins have to be created individually. */
export const importedMemberTypes: readonly CatalogueEntry[] = memberTypes.filter(
  ({ value }) => value !== MemberType.Admin,
);

/** Rules for a user in an import: like Create User, with an ABN and without a password. Admins can't be imported. */
export const importUserRules = object(createUserFields)
  .omit(["issuedW8Form", "completedSecurityInformation", "completedSoftwareQA", "hasCompletedTrial"])
  .shape({
    abn: abn(),
    postCode: postCodeCell,
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
    email: emailLine().required("Email is required."),
    productLevel: choiceCell(rules.productLevel, productLevels, "Must be a product level, such as 2 or Professional."),
    licenceType: choiceCell(rules.licenceType, licenceTypes, "Must be a licence type, such as 1 or Single User."),
    licenceCategory: choiceCell(
      rules.licenceCategory,
      licenceCategories,
      "Must be a licence category, such as 1 or None.",
    ),
    licenceActivationType: choiceCell(
      rules.licenceActivationType,
      offeredActivationTypes,
      "Must be Standard or Concurrent.",
    ),
    expiryDate: lastDayCell(rules.expiryDate),
    numberOfUsers: wholeNumberCell(rules.numberOfUsers, licenceDefaults.numberOfUsers),
    numberOfMachines: wholeNumberCell(rules.numberOfMachines, licenceDefaults.numberOfMachines),
    // A file may fill in this column for all licences, but only those with heartbeats use it.
    floatingHeartBeatIntervalMinutes: wholeNumberCell(rules.floatingHeartBeatIntervalMinutes, defaultHeartbeat).when(
      "licenceActivationType",
      { is: (type: unknown) => !needsHeartbeat(type), then: (rule) => rule.transform(() => defaultHeartbeat) },
    ),
    projectTerm: rules.projectTerm.when("licenceType", {
      is: (type: unknown) => !needsProjectTerm(type),
      then: (rule) => rule.test("no-project", "Only for the licence type Project.", (value) => !value),
    }),
    allowOnVms: yesNoCell(rules.allowOnVms),
  });
export type ImportLicenceValues = InferType<typeof importLicenceRules>;
