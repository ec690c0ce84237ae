import { keepReasons, type PersonalData } from "#api/platform/database/personal-data.ts";

export const softwareData: PersonalData = {
  tables: {
    software_builds: {
      kept: { [keepReasons.staffLog]: "uploaded_by_id publishing_requested_by_id" },
      impersonal:
        "id stage version version_parts version_source file_name storage_key size_bytes sha256 created_at published_at withdrawn_at signature publishing_requested_at",
    },
    software_channels: { impersonal: "stage build_id latest_version minimum_version sequence manifest" },
    software_downloads: { impersonal: "build_id day kind count" },
    software_files: { impersonal: "id build_id kind path path_key storage_key size_bytes sha256" },
  },
};
