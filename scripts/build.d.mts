/** Builds the named parts, or all, if their sources have changed. @throws Error with the output of a part that couldn't be built */
export function build(names?: readonly string[], options?: { hasSamples?: boolean }): Promise<void>;
