/** Builds a software build as the API returns it to staff. */
export const buildShownBuild = (changes: object = {}) => ({
  id: "b-72",
  stage: "PRODUCTION",
  stageLabel: "Production",
  version: "7.2.0",
  versionSource: "INSTALLATION_FILE",
  state: "OFFERED",
  fileName: "Planvarro-Setup-7.2.0.exe",
  sizeBytes: 18_432_000,
  sha256: "ab".repeat(32),
  url: "http://localhost/software/production/7.2.0/Planvarro-Setup-7.2.0.exe",
  manifestUrl: "http://localhost/software/production/7.2.0/Planvarro.vsto",
  signer: "Planvarro Sample Pty Ltd",
  publishingStep: "PUBLISH",
  createdAt: "2026-10-31T02:00:00Z",
  uploadedBy: "Grace Hopper",
  publishedAt: "2026-11-01T02:00:00Z",
  downloads: { installer: 1_204, application: 30 },
  ...changes,
});

/** Builds a release stage as the API returns it to staff. */
export const buildShownChannel = (changes: object = {}) => ({
  stage: "PRODUCTION",
  label: "Production",
  offered: buildShownBuild(),
  previous: { id: "b-71", version: "7.1.0" },
  ...changes,
});

const alpha = { stage: "ALPHA", stageLabel: "Alpha", downloads: { installer: 0, application: 0 } };

const none = { url: null, manifestUrl: null, publishedAt: null };
const named = (version: string) => ({ version, fileName: `Planvarro-Setup-${version}.exe` });

/** Build that isn't offered yet. */
export const unpublished = buildShownBuild({ ...alpha, id: "b-74", ...named("7.4.0"), state: "UPLOADED", ...none });

/** Build that was offered before. */
export const former = buildShownBuild({ id: "b-71", ...named("7.1.0"), state: "PUBLISHED" });

export const withdrawn = buildShownBuild({ id: "b-70", ...named("7.0.0"), state: "WITHDRAWN", uploadedBy: null });
