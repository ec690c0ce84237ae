import classes from "./level-chart.module.css";

/** A feature and the lowest level that includes it. */
export interface LevelRow {
  readonly what: string;
  readonly from: string;
}

/** Features by level, drawn as a schedule. Each bar starts at the lowest level that includes the feature. */
export function LevelChart({
  levels,
  rows,
}: {
  /** Levels from lowest to highest. A row's `from` refers to `product`. */
  levels: readonly { readonly product: string; readonly name: string; readonly label: string }[];
  rows: readonly LevelRow[];
}) {
  return (
    <table className={classes.chart}>
      <thead>
        <tr>
          <th scope="col">Feature</th>
          {levels.map(({ product, name, label }) => (
            <th key={product} scope="col">
              {name} <span className={classes.note}>{label}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ what, from }) => {
          const start = levels.findIndex(({ product }) => product === from);
          return (
            <tr key={what}>
              <th scope="row">{what}</th>
              {levels.map(({ product }, index) => (
                <td
                  key={product}
                  data-bar={index < start ? undefined : index === start ? "start" : "on"}
                  data-level={start}
                >
                  <span className={classes.hidden}>{index < start ? "Not included" : "Included"}</span>
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
