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
  [
    { code: "STANDARD", value: 0, label: "Standard", description: "Includes the feature `schedule`." },
    { code: "PLUS", value: 1, label: "Plus+", description: "Includes `schedule` and `health-checks`." },
    { code: "PROFESSIONAL", value: 2, label: "Professional", description: "Includes all features." },
    { code: "CORPORATE", value: 14, label: "Corporate", description: "All features, for companies." },
    {
      code: "CORPORATE_DARK",
      value: 15,
      label: "Corporate Dark",
      description: "All features, for companies. Recorded for the vendor's statistics only.",
    },
    {
      code: "CORPORATE_DARK_CONCURRENT",
      value: 16,
      label: "Corporate Dark Concurrent",
      description: "Like `CORPORATE_DARK`, for concurrent licences.",
    },
    {
      code: "CORPORATE_DARK_NAMED",
      value: 17,
      label: "Corporate Dark Named",
      description: "Like `CORPORATE_DARK`, for named users.",
    },
    {
      code: "RIGHTS_NOT_USED",
      value: 18,
      label: "Rights Not Used",
      description: "No features: the customer doesn't use its rights.",
    },
    { code: "NO_RIGHTS", value: 19, label: "No Rights", description: "No features." },
    { code: "TRIAL", value: 3, label: "Trial", description: "All features, for a trial." },
    {
      code: "STANDARD_CRYPTOLICENSING",
      value: 10,
      label: "Standard (cryptolicensing)",
      description: "Legacy level with the features of `STANDARD`.",
    },
    {
      code: "PLUS_CRYPTOLICENSING",
      value: 11,
      label: "Plus+ (cryptolicensing)",
      description: "Legacy level with the features of `PLUS`.",
    },
    {
      code: "PROFESSIONAL_CRYPTOLICENSING",
      value: 12,
      label: "Professional (cryptolicensing)",
      description: "Legacy level with all features.",
    },
    {
      code: "TRIAL_CRYPTOLICENSING",
      value: 13,
      label: "Trial (cryptolicensing)",
      description: "Legacy trial level with all features.",
    },
    {
      code: "REMOTE_DESKTOP_CRYPTOLICENSING",
      value: 4,
      label: "Remote Desktop (cryptolicensing)",
      description: "Legacy level for remote desktops, with all features.",
    },
    {
      code: "STANDARD_OLD_CRYPTOLICENSING",
      value: 5,
      label: "Standard (old cryptolicensing)",
      description: "Older legacy level with the features of `STANDARD`.",
    },
    {
      code: "PLUS_OLD_CRYPTOLICENSING",
      value: 6,
      label: "Plus+ (old cryptolicensing)",
      description: "Older legacy level with the features of `PLUS`.",
    },
    {
      code: "PROFESSIONAL_OLD_CRYPTOLICENSING",
      value: 7,
      label: "Professional (old cryptolicensing)",
      description: "Older legacy level with all features.",
    },
    {
      code: "TRIAL_OLD_CRYPTOLICENSING",
      value: 8,
      label: "Trial (old cryptolicensing)",
      description: "Older legacy trial level with all features.",
    },
    {
      code: "REMOTE_DESKTOP_OLD",
      value: 9,
      label: "Remote Desktop (old)",
      description: "Older legacy level for remote desktops, with all features.",
    },
  ] as const,
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

/** Product levels whose licences get seats by invoice: Corporate, Corporate Dark, Dark Concurrent and Dark Named. */
export const seatLevels: readonly number[] = [14, 15, 16, 17];

/** Returns whether licences of a product level, by its code or number, get seats by invoice. */
export function hasSeatsByInvoice(level: number | CodeOf<typeof productLevels>): boolean {
  return seatLevels.includes(findEntry(productLevels, level)?.value ?? -1);
}

/** Features of the add-in that a product level can include. */
export const featureList = defineList("Feature", "A feature of the add-in.", [
  { code: "SCHEDULE", value: "schedule", label: "Schedule", description: "Converts the schedule." },
  {
    code: "HEALTH_CHECKS",
    value: "health-checks",
    label: "Health checks",
    description: "Checks the quality of a schedule.",
  },
  { code: "COSTS", value: "costs", label: "Costs", description: "Converts costs." },
  { code: "RESOURCES", value: "resources", label: "Resources", description: "Converts resources." },
] as const);
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
