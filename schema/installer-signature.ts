/** The Authenticode signature of a Windows installer, as found when the build was uploaded. */
export type InstallerSignature =
  | { readonly state: "unsigned" }
  | {
      readonly state: "broken";
      /** Sentence that says what is wrong. */
      readonly problem: string;
    }
  | {
      readonly state: "signed";
      /** Organisation of the signer's certificate, or its common name. */
      readonly signer: string;
      /** SHA-256 fingerprints in hex: the signer's certificate, then the authorities above it. */
      readonly certificates: readonly string[];
      /** Time until which the signer's certificate is valid, in ISO 8601. */
      readonly validUntil: string;
    };

/** The publisher whose signature every published build needs. */
export interface Publisher {
  /** Organisation or common name of the certificate. */
  readonly name: string;
  /** SHA-256 fingerprints in hex of its certificate, or of an authority above it. One of them must match. */
  readonly certificates: readonly string[];
}
