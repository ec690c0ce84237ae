import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import type { User } from "#api/people/users/user.entity.ts";
import { Licence } from "./licence.entity.ts";
import { generateLicenceCode, generateSupportCode } from "./licence-code.ts";
import { recordLicenceEvent } from "./record-licence-event.ts";

/** Values of a new licence. All other values have defaults: 1 user, 1 device, no virtual machines. */
export type IssueLicenceValues = Pick<Licence, "productLevel" | "expiresAt"> &
  Partial<
    Pick<
      Licence,
      | "licenceType"
      | "licenceCategory"
      | "licenceActivationType"
      | "numberOfUsers"
      | "numberOfMachines"
      | "limitFloatingLeasePeriodToHours"
      | "floatingHeartBeatIntervalMinutes"
      | "projectTerm"
      | "purchaseOrderNumber"
      | "allowOnVms"
      | "usageLimit"
    >
  >;

/** Creates a licence with a new code for a user. The licence is saved when the unit of work of `em` is flushed. */
export function issueLicence(context: Context, em: EntityManager, user: User, values: IssueLicenceValues): Licence {
  const licence = em.create(Licence, {
    ...values,
    user,
    licenceCode: generateLicenceCode(),
    supportCode: generateSupportCode(),
    createdAt: context.clock.now(),
  });
  recordLicenceEvent(context, em, { kind: "issue", licenceId: licence.id });
  return licence;
}
