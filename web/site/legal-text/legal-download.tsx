import { IconDownload } from "@tabler/icons-react";
import { brand } from "#schema/brand.ts";
import { LinkButton } from "#web/ui/button.tsx";
import type { Clause } from "./clause-contents.tsx";
import layout from "#web/ui/layout.module.css";
import { Split } from "#web/ui/band.tsx";
import classes from "./legal-download.module.css";

export interface LegalDownloadProps {
  document: { readonly updatedLabel: string; readonly pdf: string; readonly contents: readonly Clause[] };
  text: string;
  /** Label of the download link. */
  download: string;
  /** Label of the email address. */
  contact: string;
}

/** Download link for a legal text, with its table of contents and a contact. */
export function LegalDownload({ document, text, download, contact }: LegalDownloadProps) {
  const { updatedLabel, pdf, contents } = document;
  const { email } = brand.mailboxes.corporate;
  return (
    <Split columns="minmax(0, 1fr) minmax(0, 22rem)">
      <div>
        <p className={classes.text}>{text}</p>
        <div className={`${layout.actions} ${classes.actions}`}>
          <LinkButton href={pdf} download>
            <IconDownload size={19} stroke={1.9} aria-hidden="true" />
            {download}
          </LinkButton>
          <p>
            {contact}
            <br />
            <a href={`mailto:${email}`}>{email}</a>
          </p>
        </div>
        <p className={layout.note}>{updatedLabel}. A4, tagged for screen readers.</p>
      </div>
      <div className={classes.sheet}>
        <b>In the document</b>
        <ol>
          {contents.map(({ id, title }) => (
            <li key={id}>{title}</li>
          ))}
        </ol>
      </div>
    </Split>
  );
}
