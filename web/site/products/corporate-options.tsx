import { ActionLink } from "#web/licensing/trials/action-link.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./corporate-options.module.css";
import { type LicenceForm, LicenceIllustration } from "./licence-illustration.tsx";

export interface CorporateOptionsProps {
  options: readonly { readonly id: string; readonly title: string; readonly text: string }[];
  links: readonly { readonly label: string; readonly to: string }[];
}

/** Licences that are arranged by contacting us, each with an illustration. */
export function CorporateOptions({ options, links }: CorporateOptionsProps) {
  return (
    <>
      <ul className={`${layout.rows} ${classes.options}`}>
        {options.map(({ id, title, text }) => (
          <li key={id}>
            <LicenceIllustration form={id as LicenceForm} />
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <div className={layout.actions}>
        {links.map((link, index) => (
          <ActionLink key={link.to} link={link} variant={index === 0 ? "filled" : "default"} />
        ))}
      </div>
    </>
  );
}
