import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

interface Audit {
  readonly id: string;
  readonly score: number | null;
  readonly displayValue?: string;
  readonly numericValue?: number;
}

/** The parts of a Lighthouse report that the tests read. */
interface Report {
  readonly environment: { readonly benchmarkIndex: number };
  readonly categories: Record<string, { readonly score: number | null }>;
  readonly audits: Record<string, Audit>;
}

/** Runs Lighthouse, which `bench/lighthouse` installs because only `npm run test:all` installs it. */
export async function runLighthouse(url: string, flags: object): Promise<Report> {
  const packages = createRequire(new URL("../../bench/lighthouse/package.json", import.meta.url));
  const { default: lighthouse } = (await import(pathToFileURL(packages.resolve("lighthouse")).href)) as {
    default: (url: string, flags: object) => Promise<{ lhr: Report } | undefined>;
  };
  const result = await lighthouse(url, { output: "json", logLevel: "silent", ...flags });
  if (!result) throw new Error("Lighthouse gave no result.");
  return result.lhr;
}
