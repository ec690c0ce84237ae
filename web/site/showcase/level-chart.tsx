import classes from "./level-chart.module.css";

/** What converts, and the level it starts at. */
export interface LevelRow {
  readonly what: string;
  readonly from: string;
}

/** What each level converts, drawn as a schedule: every row's bar begins at the level that brings it. */
export function LevelChart({
  levels,
  rows,
}: {
  /** From the smallest to the greatest; `product` is what a row's `from` names. */
  levels: readonly { readonly product: string; readonly name: string; readonly label: string }[];
  rows: readonly LevelRow[];
}) {
  return (
    <table className={classes.chart}>
      <thead>
        <tr>
          <th scope="col">What is carried over</th>
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
