/** A page of the developer guide, made of documents or of some of their sections. */
export interface GuideTopic {
  /** Last part of its address. Empty for the first page, at `/docs/`. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly parts: readonly { readonly file: string; readonly sections?: readonly string[] }[];
}

const addin = (...sections: string[]) => ({ file: "docs/addin.md", sections });

/** Addresses below `/docs/` that developers guess, and where they lead. */
export const guideRedirects: Readonly<Record<string, string>> = { "/docs/quickstart/": "/docs/" };

/** The pages in the order in which an integrator needs them. */
export const guideTopics: readonly GuideTopic[] = [
  {
    id: "",
    title: "Quickstart",
    description: "Activate a device with a sandbox code in curl, C# and Node.",
    parts: [{ file: "docs/guide/quickstart.md" }],
  },
  {
    id: "life-cycle",
    title: "Life cycle",
    description: "Requests, responses, and each call from activation to deactivation.",
    parts: [addin("Try it in a shell", "Requests", "Responses", "Lifecycle", "Devices")],
  },
  {
    id: "fingerprint",
    title: "Fingerprint",
    description: "What to hash on Windows, and how to recognise a virtual machine.",
    parts: [{ file: "docs/guide/fingerprint.md" }],
  },
  {
    id: "proofs",
    title: "Proofs",
    description: "Verify signed answers, keep keys, and notice a clock that was set back.",
    parts: [addin("Proofs")],
  },
  {
    id: "offline",
    title: "Offline",
    description: "Request files and licence files for devices without a network.",
    parts: [addin("Offline")],
  },
  {
    id: "seats",
    title: "Seats",
    description: "Take, renew, borrow and release seats of concurrent licences.",
    parts: [addin("Seats")],
  },
  { id: "usage", title: "Usage", description: "Report conversions so that each counts once.", parts: [addin("Usage")] },
  {
    id: "updates",
    title: "Updates",
    description: "Find a new version, and check its signature and checksum.",
    parts: [addin("Updates")],
  },
  {
    id: "errors",
    title: "Errors",
    description: "What to do for each HTTP status, result code and warning.",
    parts: [addin("Errors")],
  },
  {
    id: "sandbox",
    title: "Sandbox",
    description: "Licence codes that return every state, without an account.",
    parts: [addin("Sandbox")],
  },
  {
    id: "dotnet",
    title: ".NET",
    description: "The package for .NET Framework 4.7.2 and .NET Standard 2.0, and conformance tests for other clients.",
    parts: [{ file: "clients/dotnet/README.md" }, { file: "clients/README.md", sections: ["Conformance"] }],
  },
  {
    id: "questions",
    title: "Questions",
    description: "Short answers to what integrators ask first.",
    parts: [{ file: "docs/guide/questions.md" }],
  },
  {
    id: "webhooks",
    title: "Webhooks",
    description: "Receive signed events about licences and subscriptions.",
    parts: [{ file: "docs/webhooks.md" }],
  },
  {
    id: "graphql",
    title: "GraphQL",
    description: "Query your data, and what each staff role may use.",
    parts: [{ file: "docs/graphql.md" }, { file: "docs/staff-roles.md" }],
  },
  {
    id: "release-notes",
    title: "Release notes",
    description: "What is new for integrators, and how long it keeps working.",
    parts: [
      { file: "CHANGELOG.md" },
      { file: "clients/dotnet/CHANGELOG.md" },
      {
        file: "docs/versioning.md",
        sections: [
          "Promises",
          "Breaking changes",
          "Compatible changes",
          "Deprecation",
          "A future `/v2`",
          "Supported versions",
        ],
      },
    ],
  },
];
