import process from "node:process";

/** Prints the result of a command to standard output, as JSON or as the text that `describe` writes. */
export function printResult<Result>(
  result: Result,
  asJson: boolean | undefined,
  describe: (result: Result) => string,
): void {
  process.stdout.write(asJson ? `${JSON.stringify(result, null, 2)}\n` : describe(result));
}

/** Prints progress to standard error. Standard output contains only the result. */
export function printProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${line}\n`);
}
