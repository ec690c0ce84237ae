/** Returns the path of the compiled driver. @throws Error with the command to run if Mono is missing */
export function buildDotnet(folder: string): string;
