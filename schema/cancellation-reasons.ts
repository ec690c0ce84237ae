/** Reasons for cancelling a subscription that customers choose from. Customers see `label`, staff see it, too. */
export const cancellationReasons = [
  { code: "PROJECT_FINISHED", label: "My project has finished" },
  { code: "TOO_EXPENSIVE", label: "It's too expensive" },
  { code: "MISSING_FEATURE", label: "A feature is missing" },
  { code: "TECHNICAL_PROBLEMS", label: "I had technical problems" },
  { code: "OTHER_SOLUTION", label: "I use another solution" },
  { code: "OTHER", label: "Another reason" },
] as const;

export type CancellationReasonCode = (typeof cancellationReasons)[number]["code"];

/** Returns the label of a reason, or the code if it is unknown. */
export function labelCancellationReason(code: string): string {
  return cancellationReasons.find((reason) => reason.code === code)?.label ?? code;
}
