import type { CheckState } from "#schema/status.ts";
import type { Services } from "#api/platform/context.ts";
import { createSlot } from "#api/platform/slots.ts";

/** Result of one check of the installation. A finding that isn't `ok` names the setting or command that fixes it. */
export interface Finding {
  readonly check: string;
  readonly state: CheckState;
  readonly message: string;
  readonly fix?: string;
}

/** What a running process knows about its installation. */
export interface Examination {
  /** Version of the release that runs. */
  readonly version: string;
  readonly checkedAt: Date;
  readonly findings: readonly Finding[];
}

/** Examines the installation with the checks of `doctor`, which know all areas. */
export const installation = createSlot<{ readonly examine: (services: Services) => Promise<Examination> }>(
  "the examination of the installation",
);
