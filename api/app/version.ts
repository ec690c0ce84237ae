import manifest from "../../package.json" with { type: "json" };

/** Version of the release that runs. */
export const version: string = manifest.version;
