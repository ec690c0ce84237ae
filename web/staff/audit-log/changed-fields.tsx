import classes from "./changed-fields.module.css";

/** A field's formatted values before and after a change. */
export interface ChangedField {
  field: string;
  before: string | null;
  after: string | null;
}

/** Shows the fields of a change in a collapsed table. */
export function ChangedFields({ changes }: { changes: readonly ChangedField[] }) {
  if (changes.length === 0) return null;
  return (
    <details className={classes.changes}>
      <summary>{changes.length === 1 ? "1 field" : `${changes.length} fields`}</summary>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, before, after }) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <Value value={before} />
              <Value value={after} />
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function Value({ value }: { value: string | null }) {
  return value === null ? <td className={classes.nothing}>Empty</td> : <td>{value}</td>;
}
