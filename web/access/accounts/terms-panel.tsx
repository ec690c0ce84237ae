import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { brand } from "#schema/brand.ts";
import { AcceptButton } from "#web/ui/form/accept-button.tsx";
import classes from "./terms-panel.module.css";

/** What a person agrees to on registration, and the button that says so. */
export function TermsPanel<TValues extends FieldValues>(props: {
  control: Control<TValues>;
  name: FieldPath<TValues>;
}) {
  return (
    <section className={classes.panel} aria-labelledby="terms">
      <h2 id="terms" className={classes.title}>
        Terms and privacy
      </h2>
      <p>
        The information you give must be true, accurate and identifiable, and your account must be verified by email
        before you can use it.
      </p>
      <ul>
        <li>A single-user licence is for one person on one machine. It is not shared or passed on.</li>
        <li>One account and one trial a person; no aliases, and nobody under 16.</li>
        <li>
          {brand.company.legalName} keeps your details to run your account and licences, and does not sell them.
          Australian law applies.
        </li>
      </ul>
      <AcceptButton {...props} label="Accept Terms and Privacy Policy" />
    </section>
  );
}
