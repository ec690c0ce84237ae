import { type CodeOf, defineList, findEntry, listValues, type ValueOf } from "./closed-list.ts";

/**
 * Numbers of the product levels on sale and on trial. Kept in a separate file so that public pages don't load the other
 * lists.
 */
export const ProductLevel = { Standard: 0, Plus: 1, Professional: 2, Trial: 3 } as const;

/** All product levels, including legacy ones. */
export const productLevels = defineList(
  "ProductLevel",
  "The product level of a licence. It decides which features of the add-in the licence includes.",
  {
    STANDARD: [0, "Standard", "Includes the feature `schedule`."],
    PLUS: [1, "Plus+", "Includes `schedule` and `health-checks`."],
    PROFESSIONAL: [2, "Professional", "Includes all features."],
    CORPORATE: [14, "Corporate", "All features, for companies."],
    CORPORATE_DARK: [15, "Corporate Dark", "All features, for companies. Recorded for the vendor's statistics only."],
    CORPORATE_DARK_CONCURRENT: [16, "Corporate Dark Concurrent", "Like `CORPORATE_DARK`, for concurrent licences."],
    CORPORATE_DARK_NAMED: [17, "Corporate Dark Named", "Like `CORPORATE_DARK`, for named users."],
    RIGHTS_NOT_USED: [18, "Rights Not Used", "No features: the customer doesn't use its rights."],
    NO_RIGHTS: [19, "No Rights", "No features."],
    TRIAL: [3, "Trial", "All features, for a trial."],
    STANDARD_CRYPTOLICENSING: [10, "Standard (cryptolicensing)", "Legacy level with the features of `STANDARD`."],
    PLUS_CRYPTOLICENSING: [11, "Plus+ (cryptolicensing)", "Legacy level with the features of `PLUS`."],
    PROFESSIONAL_CRYPTOLICENSING: [12, "Professional (cryptolicensing)", "Legacy level with all features."],
    TRIAL_CRYPTOLICENSING: [13, "Trial (cryptolicensing)", "Legacy trial level with all features."],
    REMOTE_DESKTOP_CRYPTOLICENSING: [
      4,
      "Remote Desktop (cryptolicensing)",
      "Legacy level for remote desktops, with all features.",
    ],
    STANDARD_OLD_CRYPTOLICENSING: [
      5,
      "Standard (old cryptolicensing)",
      "Older legacy level with the features of `STANDARD`.",
    ],
    PLUS_OLD_CRYPTOLICENSING: [6, "Plus+ (old cryptolicensing)", "Older legacy level with the features of `PLUS`."],
    PROFESSIONAL_OLD_CRYPTOLICENSING: [
      7,
      "Professional (old cryptolicensing)",
      "Older legacy level with all features.",
    ],
    TRIAL_OLD_CRYPTOLICENSING: [8, "Trial (old cryptolicensing)", "Older legacy trial level with all features."],
    REMOTE_DESKTOP_OLD: [9, "Remote Desktop (old)", "Older legacy level for remote desktops, with all features."],
  },
);

/** The trial level and the two legacy trial levels. */
export const trialLevels: readonly number[] = [ProductLevel.Trial, 8, 13];

/**
 * Returns whether a product level, by its code or number, is a trial level, which has a day of offline grace and one trial
 * per device (docs/domain.md#one-trial).
 */
export function isTrialLevel(level: number | CodeOf<typeof productLevels>): boolean {
  return trialLevels.includes(findEntry(productLevels, level)?.value ?? -1);
}

/** Limits of a trial: 14 days or 20 recorded conversions, whichever comes first (docs/domain.md#trial). */
export const trialTerms = { days: 14, conversions: 20 } as const;

/** Reasons why a customer can't start a trial, as sentences. */
export const trialRefusals = {
  completed:
    "Sorry, you have already completed a trial. If you would like to request a trial extension, please contact us.",
  subscribed:
    "Sorry, you have an existing subscription so you can no longer complete a trial. Please contact us if you require assistance.",
} as const;

/** Product levels whose licences get seats by invoice: Corporate, Corporate Dark, Dark Concurrent and Dark Named. */
export const seatLevels: readonly number[] = [14, 15, 16, 17];

/** Returns whether licences of a product level, by its code or number, get seats by invoice. */
export function hasSeatsByInvoice(level: number | CodeOf<typeof productLevels>): boolean {
  return seatLevels.includes(findEntry(productLevels, level)?.value ?? -1);
}

/** Features of the add-in that a product level can include. */
export const featureList = defineList("Feature", "A feature of the add-in.", {
  SCHEDULE: ["schedule", "Schedule", "Converts the schedule."],
  HEALTH_CHECKS: ["health-checks", "Health checks", "Checks the quality of a schedule."],
  COSTS: ["costs", "Costs", "Converts costs."],
  RESOURCES: ["resources", "Resources", "Converts resources."],
});
export type Feature = ValueOf<typeof featureList>;
export const features = listValues(featureList);

const schedule: readonly Feature[] = ["schedule"];
const healthChecks: readonly Feature[] = ["schedule", "health-checks"];
const everything: readonly Feature[] = features;

/**
 * Features of each product level (docs/domain.md#features). All levels include `schedule`; Plus+ adds `health-checks`;
 * Professional, Trial and the corporate levels also include `costs` and `resources`. Levels 18 and 19 include none.
 * Legacy levels include the same features as the current levels with the same name.
 */
export const featuresOfProductLevel: Readonly<Record<number, readonly Feature[]>> = {
  0: schedule,
  1: healthChecks,
  2: everything,
  3: everything,
  4: everything,
  5: schedule,
  6: healthChecks,
  7: everything,
  8: everything,
  9: everything,
  10: schedule,
  11: healthChecks,
  12: everything,
  13: everything,
  14: everything,
  15: everything,
  16: everything,
  17: everything,
  18: [],
  19: [],
};
