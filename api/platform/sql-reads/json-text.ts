/**
 * JSON as the database wrote it. Stands in an answer where data stands and reaches the client as it is: parsing it, to
 * write the same text again, would cost more than the rest of the request.
 */
export class JsonText {
  constructor(readonly text: string) {}

  /** For whoever does treat it as data. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Apollo's `stringifyResult` for answers whose data may be a {@link JsonText}; ends with a newline as Apollo's own. */
export function stringifyAnswer(answer: { data?: unknown; errors?: unknown; extensions?: unknown }): string {
  const { data, errors, extensions } = answer;
  if (!(data instanceof JsonText) || errors !== undefined) return `${JSON.stringify(answer)}\n`;
  const beside = extensions === undefined ? "" : `,"extensions":${JSON.stringify(extensions)}`;
  return `{"data":${data.text}${beside}}\n`;
}
