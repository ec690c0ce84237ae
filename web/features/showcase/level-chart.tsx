import { coverage, levels } from "#web/content/home.ts";
import classes from "./level-chart.module.css";

/** What each level converts, drawn as a schedule: every row's bar begins at the level that brings it. */
export function LevelChart() {
  return (
    <table className={classes.chart}>
      <thead>
        <tr>
          <th scope="col">What is carried over</th>
          {levels.map((level) => (
            <th key={level.name} scope="col">
              {level.name} <span className={classes.note}>{level.note}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {coverage.map(({ what, from }) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            {levels.map((level, index) => (
              <td
                key={level.name}
                data-bar={index < from ? undefined : index === from ? "start" : "on"}
                data-level={from}
              >
                <span className={classes.hidden}>{index < from ? "Not included" : "Included"}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
