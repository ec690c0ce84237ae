/** A script as it stands in a page: without the lines that are there for those who read its file. */
export const withoutComments = (script: string): string => script.replace(/^\s*\/\/.*\n/gm, "");
