import { readRequestFile } from "#schema/request-file.ts";
import { addinRules, type AddinValues } from "#schema/rules/protocol.ts";
import { AppError, badInput } from "#api/platform/errors.ts";
import { check } from "#api/platform/validate.ts";
import { readLicenceCode } from "#api/licensing/licences/licence-answer.ts";

/**
 * The add-in's question in a request file, checked like one that the add-in asks itself, with the code as it is stored.
 * @throws AppError BAD_USER_INPUT under `requestFile`, with a sentence for everything that is wrong in the file.
 */
export function readOfflineRequest(requestFile: string): AddinValues {
  const file = readRequestFile(requestFile);
  if ("fault" in file) throw badInput({ requestFile: [file.fault] });
  try {
    const values = check(addinRules, file.values);
    return { ...values, licenceCode: readLicenceCode(values.licenceCode) };
  } catch (error) {
    if (!(error instanceof AppError) || !error.fields) throw error;
    const faults = Object.entries(error.fields);
    throw badInput({ requestFile: faults.map(([name, said]) => `In the request file, ${name}: ${said.join(" ")}`) });
  }
}
