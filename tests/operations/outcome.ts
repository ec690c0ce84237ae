/** Result of a scenario: figures for docs/operations.md, and the broken promises. */
export interface Outcome {
  readonly figures: string;
  readonly faults: readonly string[];
}
