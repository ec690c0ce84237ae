import { useEffect, useState } from "react";
import { formatDate } from "#schema/dates.ts";
import { Moment } from "#web/ui/moment.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./release-list.module.css";

interface Release {
  readonly version: string;
  readonly publishedAtUtc: string;
}

export interface ReleaseListProps {
  words: { readonly empty: string; readonly failed: string; readonly loading: string };
  /** What changed in a version. A version without a note has only its date. */
  notes: readonly { readonly version: string; readonly text: string }[];
}

/** Published versions of the add-in, newest first. The build of the site doesn't know them, so they load in the browser. */
export function ReleaseList({ words, notes }: ReleaseListProps) {
  const [releases, setReleases] = useState<readonly Release[] | "loading" | "failed">("loading");
  useEffect(() => {
    const controller = new AbortController();
    loadReleases(controller.signal).then(setReleases, () => controller.signal.aborted || setReleases("failed"));
    return () => controller.abort();
  }, []);
  if (releases === "loading" || releases === "failed" || releases.length === 0)
    return <p role="status">{releases === "loading" || releases === "failed" ? words[releases] : words.empty}</p>;
  return (
    <ol className={`${layout.rows} ${classes.releases}`}>
      {releases.map(({ version, publishedAtUtc }) => (
        <li key={version}>
          <h3>{version}</h3>
          <Moment at={publishedAtUtc} as={formatDate} />
          <p>{notes.find((note) => note.version === version)?.text}</p>
        </li>
      ))}
    </ol>
  );
}

async function loadReleases(signal: AbortSignal): Promise<readonly Release[]> {
  const response = await fetch("/v1/software/releases", { headers: { Accept: "application/json" }, signal });
  if (!response.ok) throw new Error(`GET /v1/software/releases returned ${response.status}`);
  return (await response.json()) as readonly Release[];
}
