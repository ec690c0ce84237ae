import { parseArgs, type ParseArgsConfig } from "node:util";
import { AppError } from "#api/platform/errors.ts";

/**
 * Parses the arguments of a command.
 * @param help text shown below the message of a mistake
 * @throws AppError BAD_USER_INPUT for an unknown option, or a value that is missing or unexpected
 */
export function readOptions<const Config extends ParseArgsConfig>(
  args: readonly string[],
  help: string,
  config: Config,
): ReturnType<typeof parseArgs<Config & { args: string[] }>> {
  try {
    return parseArgs({ ...config, args: [...args] });
  } catch (error) {
    throw new AppError("BAD_USER_INPUT", { message: `${(error as Error).message}\n\n${help}` });
  }
}
