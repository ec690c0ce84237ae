import { object } from "yup";
import { userFields } from "#schema/user.ts";
import { AppError } from "#api/platform/errors.ts";
import {
  createOperatorAdmin,
  OPERATOR_LINK_HOURS,
  type OperatorAdmin,
} from "#api/staff/users/create-operator-admin.ts";
import { type LoadDevClock, runWithContext } from "./open-command.ts";
import { printResult } from "./print.ts";

const rules = object({
  email: userFields.email.rule,
  firstName: userFields.firstName.rule,
  lastName: userFields.lastName.rule,
});

/**
 * Runs `server.js create-admin`.
 * @throws AppError if an option is invalid, or the account exists and `promote` isn't set
 */
export async function runCreateAdmin(
  given: {
    readonly email: string;
    readonly firstName?: string;
    readonly lastName?: string;
    readonly promote?: true;
    readonly json?: true;
  },
  loadDevClock: LoadDevClock,
): Promise<void> {
  const { email, firstName = "Portal", lastName = "Admin", promote = false, json = false } = given;
  const values = await rules.validate({ email, firstName, lastName }).catch((error: Error) => {
    throw new AppError("BAD_USER_INPUT", { message: error.message });
  });
  await runWithContext("create-admin", loadDevClock, async (context) => {
    const admin = await createOperatorAdmin(context, { ...values, promote });
    printResult(admin, json, describeAdmin);
  });
}

function describeAdmin({ email, isPromoted, link }: OperatorAdmin): string {
  return `${email} ${isPromoted ? "is now an admin" : "was created as an admin"} with the role Owner.
This link sets the password. It works once, for ${OPERATOR_LINK_HOURS} hours:

  ${link}

${isPromoted ? "The current password keeps working until then, unless the email address was never confirmed." : "The portal also sends the link by email, if it can send email."}
`;
}
