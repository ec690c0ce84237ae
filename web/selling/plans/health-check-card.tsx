import classes from "./health-check-card.module.css";

/** The checks of a health check as the card that the add-in shows, with what each finds. */
export function HealthCheckCard({ checks }: { checks: readonly { readonly name: string; readonly finds: string }[] }) {
  return (
    <div className={classes.card}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Check</th>
            <th scope="col">What it finds</th>
          </tr>
        </thead>
        <tbody>
          {checks.map(({ name, finds }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{finds}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
